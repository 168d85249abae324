import { expect, test } from 'vitest';
import { daysLeft } from '@/lib/days-left';

const now = Date.parse('2026-01-01T12:00:00Z');

test.each([
  ['2026-01-01T13:00:00Z', 'ends today', 'soon'],
  ['2026-01-02T13:00:00Z', 'ends in 1 day', 'soon'],
  ['2026-03-01T12:00:00Z', 'ends in 59 days', 'good'],
  ['2025-12-30T12:00:00Z', 'ended 2 days ago', 'ended'],
])('what is valid until %s %s', (to, text, state) => {
  expect(daysLeft(new Date(to), now)).toEqual({ text, state });
});
