import { describe, expect, it } from 'vitest';
import { corsAnswer, type CorsRequest, type CorsRules } from '@/components/form/plugins/cors-answer';

const open: CorsRules = { allowOrigins: [], allowMethods: [], allowHeaders: [], allowCredentials: false };
const strict: CorsRules = {
  allowOrigins: ['https://shop.test'],
  allowMethods: ['GET', 'PUT'],
  allowHeaders: ['X-Team'],
  allowCredentials: true,
};
const get: CorsRequest = { origin: 'https://shop.test', method: 'GET', header: '', credentials: false };

describe('corsAnswer', () => {
  it.each<[string, CorsRules, Partial<CorsRequest>]>([
    ['anybody where no origin is named', open, {}],
    ['any method where none is named', open, { method: 'DELETE' }],
    ['any header where none is named', open, { header: 'X-Other' }],
    ['an origin that is named', strict, {}],
    ['a path behind the origin, which browsers leave out', strict, { origin: 'https://shop.test/cart?x=1' }],
    ['the port of the scheme, which browsers leave out', strict, { origin: 'https://shop.test:443' }],
    ['a method and a header that are named', strict, { method: 'PUT', header: 'x-team' }],
    ['cookies of an origin that is named', strict, { credentials: true }],
    // Browsers send it without asking, so the list is not asked either.
    ['a form that is posted', strict, { method: 'POST' }],
  ])('lets %s pass', (_, rules, request) => {
    expect(corsAnswer(rules, { ...get, ...request })?.refusals).toEqual([]);
  });

  it.each<[string, CorsRules, Partial<CorsRequest>]>([
    ['Origins does not have http://shop.test.', strict, { origin: 'http://shop.test' }],
    ['Methods does not have DELETE.', strict, { method: 'DELETE' }],
    ['Methods does not have POST.', strict, { method: 'POST', header: 'X-Team' }],
    ['Request headers does not have X-Other.', strict, { header: 'X-Other' }],
    ['Allow credentials is off.', { ...strict, allowCredentials: false }, { credentials: true }],
    [
      'With credentials, Origins must name each origin.',
      { ...open, allowCredentials: true },
      { credentials: true },
    ],
  ])('says "%s"', (refusal, rules, request) => {
    expect(corsAnswer(rules, { ...get, ...request })?.refusals).toEqual([refusal]);
  });

  it('knows when a browser asks first', () => {
    expect(corsAnswer(open, get)?.preflight).toBe(false);
    expect(corsAnswer(open, { ...get, method: 'PATCH' })?.preflight).toBe(true);
    expect(corsAnswer(open, { ...get, header: 'X-Team' })?.preflight).toBe(true);
  });

  it.each(['', 'shop.test', 'ftp://shop.test', 'not a url'])('takes %j for no origin', (origin) => {
    expect(corsAnswer(open, { ...get, origin })).toBeUndefined();
  });
});
