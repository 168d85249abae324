import { dateTime } from '@/locales/format';
import { language, type Language } from '@/locales/language';
import type { Catalogue } from '@/locales/messages';

/** An English sentence with values in it: `There is no revision {number}.` */
interface Form {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly entry: string;
}

/** Longer texts are shown as they are: they are documents, or the logs of other programs. */
const CHARS_MAX = 4096;

/** Points in time as programs write them (RFC 3339). */
const MOMENTS = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** What these stand for may itself be a sentence of the catalogue. Others are values, which stay as they are. */
const SENTENCES = new Set(['condition', 'expected', 'fact', 'kind', 'reason']);

const load: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve({}),
  'zh-CN': async () => (await import('@/locales/zh-CN/server.json')).default,
};

let translated = (text: string) => text;

/** Loads the sentences of the control plane. Nothing is shown before. */
export async function loadServer(): Promise<void> {
  translated = translator(await load[language]());
}

/** Returns a text of the control plane or of a gateway in the language of the page, as far as its catalogue goes. */
export function translateServer(text: string): string {
  return translated(text).replace(MOMENTS, (moment) => dateTime(moment));
}

/**
 * Returns what translates the sentences that the control plane and gateways send, which are English, with the values
 * in them. A sentence that the catalogue lacks stays as it is.
 *
 * @param catalogue from English to another language; a name between braces stands for any value
 */
export function translator(catalogue: Catalogue): (text: string) => string {
  let forms: readonly Form[] | undefined;
  const known = (text: string): string | undefined => {
    const entry = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined;
    if (entry !== undefined) {
      return entry;
    }
    forms ??= formsOf(catalogue);
    for (const form of forms) {
      const [, ...values] = form.expression.exec(text) ?? [];
      if (values.length > 0) {
        return filled(form, values);
      }
    }
    return undefined;
  };
  const filled = ({ names, entry }: Form, values: readonly string[]): string =>
    entry.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[names.indexOf(name)] ?? placeholder;
      return SENTENCES.has(name) ? translate(value) : value;
    });
  const translate = (text: string): string => {
    if (text.length > CHARS_MAX) {
      return text;
    }
    // Some are also parts of longer sentences, and then end without a stop.
    const part = text.endsWith('.') ? known(text.slice(0, -1)) : undefined;
    return known(text) ?? (part === undefined ? text : `${part}。`);
  };
  return translate;
}

/** The most exact ones first. */
function formsOf(catalogue: Catalogue): readonly Form[] {
  return Object.entries(catalogue)
    .filter(([sentence]) => /\{\w+\}/.test(sentence))
    .toSorted(([one], [other]) => fixedLength(other) - fixedLength(one))
    .map(([sentence, entry]) => {
      const parts = sentence.split(/\{(\w+)\}/);
      return {
        // As long as a line: values have no line breaks, and the search stays short.
        expression: new RegExp(
          `^${parts.map((part, index) => (index % 2 === 0 ? literally(part) : '(.+?)')).join('')}$`,
        ),
        names: parts.filter((_, index) => index % 2 === 1),
        entry,
      };
    });
}

function fixedLength(sentence: string): number {
  return sentence.replaceAll(/\{\w+\}/g, '').length;
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
