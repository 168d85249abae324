import { Fragment, createElement, type ReactNode } from 'react';
import { number } from '@/locales/format';
import { language, locale, type Language } from '@/locales/language';

/** From the English sentence to that of another language. */
export type Catalogue = Readonly<Record<string, string>>;

/** What stands between braces in a sentence. */
type Placeholders<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Values<Names extends string, Value> = [Names] extends [never]
  ? []
  : [values: Readonly<Record<Names, Value>>];

const load: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve({}),
  'zh-CN': async () => (await import('@/locales/zh-CN/ui.json')).default,
};
const plurals = new Intl.PluralRules(locale);
let catalogue: Catalogue = {};

/**
 * Loads the catalogue of the page's language, and tells the browser which language it is. Nothing is shown before. Pages
 * are imported afterwards, so that a sentence can be a constant of their modules; in what `main.tsx` imports it can not.
 */
export async function loadSentences(): Promise<void> {
  document.documentElement.lang = language;
  catalogue = await load[language]();
}

/**
 * Returns a sentence in the language of the page.
 *
 * @param sentence the English sentence, written here: the checks of the catalogues look for it in the code
 * @param values what its `{placeholders}` stand for, already as text: `number()` formats numbers
 */
export function t<Sentence extends string>(
  sentence: Sentence,
  ...[values]: Values<Placeholders<Sentence>, string | number>
): string {
  return filled(catalogue[sentence] ?? sentence, values ?? {});
}

/**
 * Returns a sentence about so many things. `{count}` in it is the formatted number.
 *
 * @param one the English sentence for 1
 * @param other the English sentence for other numbers, by which the catalogues know it
 */
export function many<One extends string, Other extends string>(
  count: number,
  one: One,
  other: Other,
  ...[values]: Values<Exclude<Placeholders<One> | Placeholders<Other>, 'count'>, string | number>
): string {
  const sentence = catalogue[other] ?? (plurals.select(count) === 'one' ? one : other);
  return filled(sentence, { ...values, count: number(count) });
}

/** As {@link t}, for a sentence with elements in it: links, code, bold words. */
export function rich<Sentence extends string>(
  sentence: Sentence,
  ...[values]: Values<Placeholders<Sentence>, ReactNode>
): ReactNode {
  const known: Readonly<Record<string, ReactNode>> = values ?? {};
  const parts = (catalogue[sentence] ?? sentence).split(/\{(\w+)\}/);
  return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : known[part])));
}

function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(values[name] ?? placeholder),
  );
}
