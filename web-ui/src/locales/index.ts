export { allOf, commas, dateTime, fromNow, listed, number, oneOf, timeOfDay } from '@/locales/format';
export { choose, language, languages, locale, type Language } from '@/locales/language';
export { loadSentences, many, rich, t } from '@/locales/messages';
