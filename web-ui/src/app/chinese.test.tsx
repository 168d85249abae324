import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noTraffic } from '@/lib/api/get-traffic';
import { api, problem, server } from '@/test/server';

/** The name of a resource. */
const NAME = 'Shop backends';
/** Two English words beside each other. Names of products, headers and formats have one each. */
const ENGLISH = /\b[A-Za-z]?[a-z]{2,} [a-z]{2,}\b/g;

beforeEach(async () => {
  vi.resetModules();
  localStorage.setItem('sigma.language', 'zh-CN');
  const { loadSentences } = await import('@/locales');
  const { loadContract } = await import('@/locales/contract');
  const { loadServer } = await import('@/locales/server');
  await Promise.all([loadSentences(), loadContract(), loadServer()]);
});

afterEach(() => {
  vi.resetModules();
  localStorage.clear();
  document.documentElement.lang = 'en';
});

async function open(path: string): Promise<void> {
  const { renderApp } = await import('@/test/render-app');
  renderApp(path);
}

/** What is English on the page, in texts and in the attributes that are read aloud. */
function englishOnThePage(): readonly string[] {
  const attributes = [
    ...document.querySelectorAll('main [aria-label], main [placeholder], main [title]'),
  ].flatMap((element) =>
    ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
  );
  const walker = document.createTreeWalker(
    document.querySelector('main') ?? document.body,
    NodeFilter.SHOW_TEXT,
  );
  const texts: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest('code, style') === null) {
      texts.push(node.textContent ?? '');
    }
  }
  return [...texts, ...attributes].filter((text) => text !== NAME && text.match(ENGLISH) !== null);
}

describe('in Chinese', () => {
  it.each([
    ['upstreams', '健康检查'],
    ['proxy-servers', '监听器'],
    ['proxy-passes', '转发到上游'],
    ['routes', '查询参数'],
    ['consumers', 'API 密钥'],
    ['certificates', '证书链'],
  ])('the form of %s has nothing in English', async (kind, text) => {
    await open(`/new/${kind}`);
    expect((await screen.findAllByText(new RegExp(text))).length).toBeGreaterThan(0);
    for (const head of document.querySelectorAll<HTMLElement>('main section button[aria-expanded="false"]')) {
      head.click();
    }
    expect(await screen.findByText('备注')).toBeVisible();
    expect(englishOnThePage()).toEqual([]);
  });

  it('an answer of the control plane is translated', async () => {
    server.use(
      ...['revisions/99', 'revisions/99/acks', 'revisions/99/diff/98'].map((path) =>
        http.get(api(path), () => problem(404, 'Not found')),
      ),
    );
    await open('/revisions/99');
    expect((await screen.findAllByText('未找到'))[0]).toBeVisible();
  });

  it('the figures of the traffic have Chinese words', async () => {
    server.use(
      http.get(api('traffic/top'), () =>
        HttpResponse.json({ items: [{ id: 'cart', figures: { ...noTraffic, requests: 1 } }] }),
      ),
    );
    await open('/traffic');
    const table = await screen.findByRole('table', { name: '最繁忙的路由' });
    for (const name of ['路由', '流入', '流出']) {
      expect(within(table).getByRole('columnheader', { name })).toBeVisible();
    }
    expect(screen.getAllByRole('radio', { name: '失败' })).toHaveLength(1);
    expect(screen.getByText(/^最近一小时没有请求/)).toBeVisible();
  });
});
