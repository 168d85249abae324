import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wanted } from '@/locales/language';

describe('the language', () => {
  it.each([
    [['zh-CN', 'en'], 'zh-CN'],
    [['zh-Hant-TW'], 'zh-CN'],
    [['fr', 'zh', 'en'], 'zh-CN'],
    [['en-GB', 'zh-CN'], 'en'],
    [['fr-FR'], 'en'],
    [[], 'en'],
  ])('of a browser that wants %j is %s', (tags, language) => {
    expect(wanted(tags)).toBe(language);
  });
});

describe('in English', () => {
  it('a sentence is its own translation', async () => {
    const { loadSentences, many, number, t } = await import('@/locales');
    await loadSentences();
    expect(t('Log in to Sigma')).toBe('Log in to Sigma');
    expect(t('Language: {name}', { name: '$& {name}' })).toBe('Language: $& {name}');
    expect([0, 1, 2000].map((count) => many(count, 'one route', '{count} routes'))).toEqual([
      '0 routes',
      'one route',
      '2,000 routes',
    ]);
    expect(number(1234.5)).toBe('1,234.5');
    expect(document.documentElement.lang).toBe('en');
  });
});

describe('in Chinese', () => {
  beforeEach(() => {
    vi.resetModules();
    localStorage.setItem('sigma.language', 'zh-CN');
  });
  afterEach(() => {
    vi.resetModules();
    localStorage.clear();
    document.documentElement.lang = 'en';
  });

  it('sentences come from the catalogue, those that it lacks stay English', async () => {
    const { fromNow, language, loadSentences, many, t } = await import('@/locales');
    await loadSentences();
    expect(language).toBe('zh-CN');
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(t('Log in to Sigma')).toBe('登录 Sigma');
    expect(t('Language: {name}', { name: '简体中文' })).toBe('语言：简体中文');
    expect(many(1, 'one unknown', '{count} unknown')).toBe('1 unknown');
    expect(fromNow(-3, 'minute')).toBe('3分钟前');
  });

  it('elements stand where the sentence has them', async () => {
    const { rich } = await import('@/locales');
    const { renderToStaticMarkup } = await import('react-dom/server');
    expect(renderToStaticMarkup(rich('a {b} c {b}', { b: 'x' }))).toBe('a x c x');
  });

  it('a choice is kept and the page is loaded again', async () => {
    const { choose } = await import('@/locales');
    const reload = vi.fn();
    choose('en', reload);
    expect(localStorage.getItem('sigma.language')).toBe('en');
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('dates in a browser of a language that the dashboard lacks', () => {
  const formatted = async (tags: readonly string[]) => {
    vi.resetModules();
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(tags);
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(tags[0] ?? 'en');
    return (await import('@/locales')).dateTime(new Date(2026, 10, 27, 16, 31, 16));
  };

  it.each([
    [['de-DE', 'de', 'en-US'], '27/11/2026, 16:31:16'],
    [['en-US', 'de'], '11/27/2026, 4:31:16 PM'],
    [['en-GB'], '27/11/2026, 16:31:16'],
  ])('of %j are written as %s', async (tags, text) => {
    expect((await formatted(tags)).replace(/\s/gu, ' ')).toBe(text);
  });
});
