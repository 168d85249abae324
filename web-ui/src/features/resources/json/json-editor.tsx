import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { linter, lintGutter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import { placeIn } from '@/features/resources/json/json-place';

/** How long after the last key the control plane is asked. */
const CHECK_AFTER_MILLIS = 800;

/** What is wrong, or doubtful, with what a pointer names. */
export interface Remark {
  readonly pointer: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

interface JsonEditorProps {
  readonly label: string;
  /** The text that it begins with. */
  readonly initial: string;
  readonly takesFocus: boolean;
  readonly onChange: (text: string) => void;
  /** Judges a text that is JSON. */
  readonly check: (text: string) => Promise<readonly Remark[]>;
}

/** A text in JSON, with what is wrong with it at its place. Loaded when somebody opens the page that has it. */
export function JsonEditor({ label, initial, takesFocus, onChange, check }: JsonEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  const judged = useEffectEvent(check);
  useEffect(() => {
    const view = new EditorView({
      parent: box.current ?? document.body,
      doc: initial,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        indentOnInput(),
        bracketMatching(),
        json(),
        syntaxHighlighting(colours),
        looks,
        EditorView.lineWrapping,
        // The key Tab leaves the editor, as everywhere on the page.
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            changed(update.state.doc.toString());
          }
        }),
        linter((editor) => diagnosed(editor, judged), { delay: CHECK_AFTER_MILLIS }),
      ],
    });
    if (takesFocus) {
      view.focus();
    }
    return () => view.destroy();
  }, [initial, label, takesFocus]);
  return <div ref={box} />;
}

const broken = jsonParseLinter();

async function diagnosed(
  view: EditorView,
  check: (text: string) => Promise<readonly Remark[]>,
): Promise<readonly Diagnostic[]> {
  const { state } = view;
  const unreadable = broken(view);
  if (unreadable.length > 0) {
    return unreadable;
  }
  const remarks = await check(state.doc.toString());
  return remarks.map(({ pointer, message, severity }) => ({ ...placeIn(state, pointer), message, severity }));
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'light-dark(#3e47ab, #b9bff0)' },
  { tag: tags.string, color: 'light-dark(#1b6b3a, #8fd6a8)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#8a4200, #f2b880)' },
]);

const looks = EditorView.theme({
  '&': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    fontSize: 'var(--mantine-font-size-sm)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-md)',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', minHeight: '12rem' },
  '.cm-gutters': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'transparent',
    border: 'none',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'light-dark(#dcdff8, #3a404d)' },
  '.cm-tooltip': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
  },
  '.cm-foldPlaceholder': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'transparent',
    borderColor: 'var(--mantine-color-default-border)',
  },
});
