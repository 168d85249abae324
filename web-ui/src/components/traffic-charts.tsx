import { SimpleGrid } from '@mantine/core';
import type { TrafficFigures } from '#client';
import { TimeChart } from '@/components/time-chart';
import type { TrafficSlots } from '@/lib/api/get-traffic';
import { bytes, bytesCeilingOf, millis, short } from '@/lib/figures';
import { t } from '@/locales';

const green = 'var(--sigma-chart-green)';
const blue = 'var(--sigma-chart-blue)';
const yellow = 'var(--sigma-chart-yellow)';
const red = 'var(--sigma-chart-red)';
const gray = 'var(--sigma-chart-gray)';

/** What came, over time. */
export function TrafficCharts({ traffic: { slots, slotSeconds } }: { readonly traffic: TrafficSlots }) {
  const times = slots.map(({ at }) => at);
  const of = (figure: (figures: TrafficFigures) => number) =>
    slots.map(({ figures }) => figures && figure(figures));
  const perSecond = (figure: (figures: TrafficFigures) => number) =>
    of((figures) => figure(figures) / slotSeconds);
  // Nothing lasted 0 ms where nothing came.
  const duration = (figure: (figures: TrafficFigures) => number) =>
    slots.map(({ figures }) =>
      figures === undefined || figures.requests === 0 ? undefined : figure(figures),
    );
  const rate = (value: number) => `${short(value)}/s`;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <TimeChart
        title={t('Rate')}
        times={times}
        format={rate}
        series={[{ name: t('requests'), color: blue, values: of(({ perSecond: value }) => value) }]}
      />
      <TimeChart
        title={t('Status classes')}
        times={times}
        format={rate}
        stacked
        series={[
          { name: '2xx', color: green, values: perSecond(({ status2xx }) => status2xx) },
          { name: '3xx', color: blue, values: perSecond(({ status3xx }) => status3xx) },
          { name: '4xx', color: yellow, values: perSecond(({ status4xx }) => status4xx) },
          { name: '5xx', color: red, values: perSecond(({ status5xx }) => status5xx) },
          { name: t('no answer'), color: gray, values: perSecond(({ unanswered }) => unanswered) },
        ]}
      />
      <TimeChart
        title={t('Duration')}
        times={times}
        format={millis}
        series={[
          { name: 'p50', color: blue, values: duration(({ p50Millis }) => p50Millis) },
          { name: 'p95', color: yellow, dash: '6 3', values: duration(({ p95Millis }) => p95Millis) },
          { name: 'p99', color: red, dash: '2 2', values: duration(({ p99Millis }) => p99Millis) },
        ]}
      />
      <TimeChart
        title={t('Bytes')}
        times={times}
        format={(value) => `${bytes(value)}/s`}
        ceiling={bytesCeilingOf}
        series={[
          { name: t('in'), color: green, dash: '6 3', values: perSecond(({ bytesIn }) => bytesIn) },
          { name: t('out'), color: blue, values: perSecond(({ bytesOut }) => bytesOut) },
        ]}
      />
    </SimpleGrid>
  );
}
