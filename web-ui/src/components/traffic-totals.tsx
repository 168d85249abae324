import type { TrafficFigures } from '#client';
import { FigureTiles } from '@/components/figure-tiles';
import { bytes, millis, percent, short } from '@/lib/figures';

interface TrafficTotalsProps {
  readonly total: TrafficFigures;
  /** What is counted: requests, or calls to the nodes of an upstream. */
  readonly what: 'Requests' | 'Calls';
}

/** The whole span at a glance. */
export function TrafficTotals({ total, what }: TrafficTotalsProps) {
  const { requests, perSecond, status5xx, unanswered, bytesIn, bytesOut } = total;
  const failed = status5xx + unanswered;
  const tiles = [
    { name: what, value: short(requests), more: `${short(perSecond)} per second` },
    {
      name: 'Failed',
      value: percent(failed, requests),
      more: `${short(status5xx)} answered 5xx, ${short(unanswered)} without an answer`,
      bad: failed > 0,
    },
    { name: 'p50', value: millis(total.p50Millis), more: 'half were faster' },
    { name: 'p95', value: millis(total.p95Millis), more: '95 % were faster' },
    { name: 'p99', value: millis(total.p99Millis), more: '99 % were faster' },
    { name: 'Bytes out', value: bytes(bytesOut), more: `${bytes(bytesIn)} in; bodies only` },
  ];
  return <FigureTiles tiles={tiles} cols={{ base: 2, xs: 3, lg: 6 }} />;
}
