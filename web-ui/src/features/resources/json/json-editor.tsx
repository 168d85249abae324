import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
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
import type { SchemaName } from '#contract';
import { contractHelp } from '@/features/resources/json/contract-help';
import { jsonLanguage } from '@/features/resources/json/json-language';
import type { EditorLanguage } from '@/features/resources/json/text-format';

/** How long after the last key the control plane is asked. */
const CHECK_AFTER_MILLIS = 800;

/** What is wrong, or doubtful, with what a pointer names. */
export interface Remark {
  readonly pointer: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
  /** What is marked: the value by default. */
  readonly of?: 'name' | 'value';
}

interface JsonEditorProps {
  readonly label: string;
  /** The text that it begins with. */
  readonly initial: string;
  readonly takesFocus: boolean;
  /** What the text describes. */
  readonly schema: SchemaName;
  /** Undefined for JSON. */
  readonly language: EditorLanguage | undefined;
  readonly onChange: (text: string) => void;
  /** Judges a text that can be read. */
  readonly check: (text: string) => Promise<readonly Remark[]>;
}

/** A text in JSON or YAML, with what is wrong with it at its place, and what can stand there. Loaded when somebody opens the page that has it. */
export function JsonEditor({
  label,
  initial,
  takesFocus,
  schema,
  language = jsonLanguage,
  onChange,
  check,
}: JsonEditorProps) {
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
        language.support,
        contractHelp(schema, language),
        syntaxHighlighting(colours),
        looks,
        EditorView.lineWrapping,
        // The key Tab leaves the editor, as everywhere on the page.
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            changed(update.state.doc.toString());
          }
        }),
        linter((editor) => diagnosed(editor, language, judged), { delay: CHECK_AFTER_MILLIS }),
      ],
    });
    if (takesFocus) {
      view.focus();
    }
    return () => view.destroy();
  }, [initial, label, takesFocus, schema, language]);
  return <div ref={box} />;
}

async function diagnosed(
  view: EditorView,
  language: EditorLanguage,
  check: (text: string) => Promise<readonly Remark[]>,
): Promise<readonly Diagnostic[]> {
  const { state } = view;
  const unreadable = language.unreadable(view);
  if (unreadable.length > 0) {
    return unreadable;
  }
  const remarks = await check(state.doc.toString());
  return remarks.map(({ pointer, message, severity, of }) => ({
    ...language.placeIn(state, pointer, of),
    message,
    severity,
  }));
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'light-dark(#3e47ab, #b9bff0)' },
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
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)', maxHeight: '16rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-text)',
    backgroundColor: 'light-dark(#dcdff8, #3a404d)',
  },
  '.cm-completionDetail': {
    marginLeft: '0.75rem',
    fontStyle: 'normal',
    color: 'light-dark(#555b66, #b3b8c2)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo, .cm-contract-help': {
    maxWidth: 'min(26rem, 80vw)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: 'var(--mantine-font-size-xs)',
    lineHeight: '1.45',
  },
  '.cm-contract-help': { padding: '6px 8px' },
  '.cm-contract-help > div': { marginTop: '2px' },
  '.cm-foldPlaceholder': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'transparent',
    borderColor: 'var(--mantine-color-default-border)',
  },
});
