import { language, type Language } from '@/locales/language';
import type { Catalogue } from '@/locales/messages';

const load: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve({}),
  'zh-CN': async () => (await import('@/locales/zh-CN/contract.json')).default,
};
let catalogue: Catalogue | undefined;

/** Loads the texts of the contract, once. Pages that show them are imported afterwards. */
export async function loadContract(): Promise<void> {
  catalogue ??= await load[language]();
}

/** Returns a text of the contract, which is English, in the language of the page; as it is where no entry is known. */
export function translateContract(text: string): string {
  return catalogue?.[text] ?? text;
}
