const STORAGE_KEY = 'sigma.language';

/** The languages of the dashboard, each with its name in itself. The first one is that of the sentences in the code. */
export const languages = {
  en: 'English',
  'zh-CN': '简体中文',
} as const;
export type Language = keyof typeof languages;

/** The language of this page. It stays for the life of the page: to change it, the page is loaded again. */
export const language: Language = chosen() ?? wanted(navigator.languages);

/** Where the reader's browser names a region of the language, dates and numbers are written as there. */
export const locale: string = navigator.languages.find((tag) => languageOf(tag) === language) ?? language;

/** As `locale`. Who reads another language first, in a region with a clock of 24 hours, gets it, and the day before the month. */
export const clockLocale: string =
  language === 'en' && languageOf(navigator.language) === undefined && !hasHalfDays(navigator.language)
    ? 'en-GB'
    : locale;

/** Keeps the choice for this browser and loads the page again in that language. */
export function choose(next: Language, reload = () => location.reload()): void {
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    // Storage may be forbidden; then the browser's language holds.
  }
  reload();
}

/** Returns the first language of the browser that the dashboard has, else English. */
export function wanted(tags: readonly string[]): Language {
  return tags.map(languageOf).find((known) => known !== undefined) ?? 'en';
}

function languageOf(tag: string): Language | undefined {
  const [code] = tag.toLowerCase().split('-');
  return code === 'zh' ? 'zh-CN' : code === 'en' ? 'en' : undefined;
}

function hasHalfDays(tag: string): boolean {
  return new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 === true;
}

function chosen(): Language | undefined {
  try {
    const stored = localStorage.getItem(STORAGE_KEY) ?? '';
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}
