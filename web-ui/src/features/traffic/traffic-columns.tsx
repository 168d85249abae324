import { Text } from '@mantine/core';
import type { TrafficFigures } from '#client';
import type { Column } from '@/components/data-table';
import type { TrafficSpan } from '@/lib/api/get-traffic';
import { bytes, millis, short } from '@/lib/figures';
import { t } from '@/locales';

export const spanNames: Readonly<Record<TrafficSpan, string>> = { hour: t('hour'), day: t('day') };

/** Figures as a table shows them; failures stand out. */
export const figureColumns: readonly Column<{ readonly figures: TrafficFigures }>[] = [
  { header: t('Requests'), right: true, cell: ({ figures }) => short(figures.requests) },
  { header: t('Per second'), right: true, cell: ({ figures }) => short(figures.perSecond) },
  { header: '2xx', right: true, cell: ({ figures }) => short(figures.status2xx) },
  { header: '3xx', right: true, cell: ({ figures }) => short(figures.status3xx) },
  { header: '4xx', right: true, cell: ({ figures }) => short(figures.status4xx) },
  { header: '5xx', right: true, cell: ({ figures }) => <Failures count={figures.status5xx} /> },
  { header: t('No answer'), right: true, cell: ({ figures }) => <Failures count={figures.unanswered} /> },
  { header: 'p50', right: true, cell: ({ figures }) => millis(figures.p50Millis) },
  { header: 'p95', right: true, cell: ({ figures }) => millis(figures.p95Millis) },
  { header: 'p99', right: true, cell: ({ figures }) => millis(figures.p99Millis) },
  { header: t('In'), right: true, cell: ({ figures }) => bytes(figures.bytesIn) },
  { header: t('Out'), right: true, cell: ({ figures }) => bytes(figures.bytesOut) },
];

export const FIGURES_WIDTH_MIN = 980;

function Failures({ count }: { readonly count: number }) {
  return count === 0 ? (
    '0'
  ) : (
    <Text span size="sm" fw={650} c="var(--mantine-color-error)">
      {short(count)}
    </Text>
  );
}
