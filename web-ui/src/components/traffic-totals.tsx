import type { TrafficFigures } from '#client';
import { FigureTiles } from '@/components/figure-tiles';
import { bytes, millis, percent, short } from '@/lib/figures';
import { t } from '@/locales';

interface TrafficTotalsProps {
  readonly total: TrafficFigures;
  /** What is counted: requests, or calls to the nodes of an upstream. */
  /** What is counted: requests, or calls of a node. */
  readonly what: string;
}

/** The whole span at a glance. */
export function TrafficTotals({ total, what }: TrafficTotalsProps) {
  const { requests, perSecond, status5xx, unanswered, bytesIn, bytesOut } = total;
  const failed = status5xx + unanswered;
  const tiles = [
    {
      name: what,
      value: short(requests),
      more: t('{perSecond} per second', { perSecond: short(perSecond) }),
    },
    {
      name: t('Failed'),
      value: percent(failed, requests),
      more: t('{status5xx} answered 5xx, {unanswered} without an answer', {
        status5xx: short(status5xx),
        unanswered: short(unanswered),
      }),
      bad: failed > 0,
    },
    { name: 'p50', value: millis(total.p50Millis), more: t('half were faster') },
    { name: 'p95', value: millis(total.p95Millis), more: t('95 % were faster') },
    { name: 'p99', value: millis(total.p99Millis), more: t('99 % were faster') },
    {
      name: t('Bytes out'),
      value: bytes(bytesOut),
      more: t('{bytes} in; bodies only', { bytes: bytes(bytesIn) }),
    },
  ];
  return <FigureTiles tiles={tiles} cols={{ base: 2, xs: 3, lg: 6 }} />;
}
