import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, textsIn, type Found } from './texts';

const root = join(import.meta.dirname, '..');
const locales = join(root, 'src/locales');

/** The texts of forms are in the contract's catalogue, which a test of its own compares with them. */
const FORMS = 'src/features/resources/forms/';
/** It names the parts of a syntax tree. */
const SYNTAX = 'src/features/resources/json/json-place.ts';
/** Files and folders whose texts are still English. The list may only get shorter. */
const unconverted = json(join(locales, 'unconverted.json')) as readonly string[];

const files = filesIn(join(root, 'src'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\/src\/(test|locales)\//.test(path))
  .map((path) => {
    const source = readFileSync(path, 'utf8');
    return { name: relative(root, path), imports: importsOf(source), ...textsIn(path, source) };
  })
  .filter(({ name }) => !name.startsWith(FORMS) && name !== SYNTAX);
const sentences = new Set(files.flatMap((file) => file.sentences.map(({ text }) => text)));

describe('the texts of the dashboard', () => {
  it('come from the catalogues', () => {
    const bare = files.flatMap(({ name, bare }) => (isUnconverted(name) ? [] : bare.map(placed(name))));
    expect(
      bare,
      'write these as t(…), many(…) or rich(…) of @/locales and add their Chinese to src/locales/zh-CN/ui.json; ' +
        'a new page may wait in src/locales/unconverted.json',
    ).toEqual([]);
  });

  it('leave the list of files that wait when they are converted', () => {
    const done = files.filter(({ name, bare }) => unconverted.includes(name) && bare.length === 0);
    expect(
      done.map(({ name }) => name),
      'remove these from src/locales/unconverted.json',
    ).toEqual([]);
  });
});

describe('the first load', () => {
  it('looks no sentence up before the catalogue is there', () => {
    const early = files
      .filter(({ name }) => isFirst(name))
      .flatMap(({ name, constants }) => constants.map(placed(name)));
    expect(early, 'write these as functions or as getters: `get label() { return t(…); }`').toEqual([]);
  });
});

describe.each(['zh-CN'])('the catalogue of %s', (language) => {
  const catalogue = json(join(locales, language, 'ui.json')) as Readonly<Record<string, string>>;

  it('has each sentence', () => {
    expect([...sentences].filter((sentence) => !Object.hasOwn(catalogue, sentence))).toEqual([]);
  });

  it('has no sentence that the dashboard does not show', () => {
    expect(Object.keys(catalogue).filter((sentence) => !sentences.has(sentence))).toEqual([]);
  });

  it('has the placeholders of each sentence', () => {
    const different = Object.entries(catalogue).filter(
      ([sentence, entry]) => placeholdersIn(sentence).join() !== placeholdersIn(entry).join(),
    );
    expect(different).toEqual([]);
  });

  it('is sorted, so that two branches seldom write the same line', () => {
    const keys = Object.keys(catalogue);
    expect(keys).toEqual(keys.toSorted());
  });
});

describe('the search for texts', () => {
  it.each([
    ['words of an element', '<p>No route</p>'],
    ['an attribute', '<p title="No route" />'],
    ['one word of an attribute', '<Input label="Host" />'],
    ['a chosen attribute', '<p aria-label={open ? "Close" : `Open ${name}`} />'],
    ['a choice among elements', '<p>{ok ? "yes" : <b />}</p>'],
    ['a sentence in a constant', 'const text = "No route takes it";'],
    ['a word in a constant', 'const names = { UP: "Serving" };'],
    ['a sentence around a value', 'const text = `route ${id} is gone`;'],
  ])('finds %s', (_, source) => {
    expect(textsIn('a.tsx', source).bare).not.toEqual([]);
  });

  it.each([
    ['an element without words', '<p>·</p>'],
    ['a sentence of the catalogue', '<p title={t("No route")}>{rich("No {what}", { what: <b /> })}</p>'],
    ['an attribute for programs', '<p className="wide" autoComplete="off" />'],
    ['an exception', 'throw new Error("this can not be");'],
    ['a key', 'if (event.key === "Enter" || kind === "Upstream") {}'],
    ['an import', 'import { Button } from "The library";'],
    ['a type', 'type State = "In order" | "Late";'],
    ['a text of the contract', 'const label = translateContract("Request headers");'],
    ['a part that is looked for', 'if (key.replace("a", "b").endsWith("Millis")) {}'],
    ['a command', 'const command = "openssl pkey -in key.pem -out plain.pem";'],
    ['an address', '<Input placeholder="https://shop.example.com" />'],
  ])('passes %s', (_, source) => {
    expect(textsIn('a.tsx', source).bare).toEqual([]);
  });

  it('tells sentences of a constant from those of a function', () => {
    const source =
      'const a = { label: t("Early") }; const b = { get label() { return t("Late"); } }; c(() => t("Late"));';
    expect(textsIn('a.ts', source).constants.map(({ text }) => text)).toEqual(['t("Early")']);
  });

  it('knows both sentences of a choice, and that for many of a number', () => {
    const source = 't(ok ? "Good" : "Bad"); many(n, "One route", "{count} routes");';
    expect(textsIn('a.ts', source).sentences.map(({ text }) => text)).toEqual([
      'Good',
      'Bad',
      '{count} routes',
    ]);
  });
});

function isUnconverted(name: string): boolean {
  return unconverted.some(
    (pattern) => name === pattern || (pattern.endsWith('/') && name.startsWith(pattern)),
  );
}

/** What `main.tsx` imports, directly or not. */
const isFirst = ((): ((name: string) => boolean) => {
  const first = new Set<string>();
  const add = (name: string): void => {
    const file = files.find((known) => known.name.replace(/\.tsx?$/, '') === name);
    if (file !== undefined && !first.has(file.name)) {
      first.add(file.name);
      file.imports.forEach((path) => add(path.replace('@/', 'src/')));
    }
  };
  add('src/main');
  return (name) => first.has(name);
})();

function placed(name: string): (found: Found) => string {
  return ({ text, line }) => `${name}:${line} ${text}`;
}

function placeholdersIn(sentence: string): readonly string[] {
  return [...new Set(sentence.match(/\{\w+\}/g))].sort();
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
