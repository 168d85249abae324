import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TrafficFigures } from '#client';
import { RevisionEffect } from '@/components/revision-effect';
import { TimeChart } from '@/components/time-chart';
import { lastMinutes, slotsIn, type TimeWindow } from '@/components/traffic-window';
import type { TrafficSlots } from '@/lib/api/get-traffic';
import { latestRevisions } from '@/lib/api/list-revisions';
import { bytes, bytesCeilingOf, millis, short } from '@/lib/figures';
import { t } from '@/locales';

const green = 'var(--sigma-chart-green)';
const blue = 'var(--sigma-chart-blue)';
const yellow = 'var(--sigma-chart-yellow)';
const red = 'var(--sigma-chart-red)';
const gray = 'var(--sigma-chart-gray)';

/** The parts of the time that a click shows, in minutes. */
const PARTS = ['5', '15'] as const;

/** What came, over time: one crosshair and one part of the time for all charts. */
export function TrafficCharts({ traffic }: { readonly traffic: TrafficSlots }) {
  const { slotSeconds } = traffic;
  const [pointed, setPointed] = useState<number>();
  const [part, setPart] = useState<TimeWindow | (typeof PARTS)[number]>();
  const revisions = useQuery(latestRevisions).data ?? [];
  const shown = typeof part === 'string' ? lastMinutes(traffic.slots, Number(part)) : part;
  const slots = slotsIn(traffic.slots, shown);
  const first = traffic.slots[0]?.at ?? 0;
  const last = traffic.slots.at(-1)?.at ?? 0;
  const within = revisions.filter(({ committedAt }) => {
    const at = Date.parse(committedAt);
    return at >= first && at <= last;
  });
  const shared = {
    pointed,
    onPoint: setPointed,
    onZoom: (from: number, to: number) =>
      setPart({ from: slots[from]?.at ?? 0, to: (slots[to]?.at ?? 0) + 1 }),
    marks: within.map(({ number, committedAt }) => ({
      at: Date.parse(committedAt),
      name: t('Revision {number}', { number }),
    })),
  };
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
    <Stack gap="md">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('Shown time')}
          data={[
            { value: 'all', label: t('All') },
            ...PARTS.map((minutes) => ({ value: minutes, label: t('Last {minutes} min', { minutes }) })),
            ...(typeof part === 'object' ? [{ value: 'drawn', label: t('Selected') }] : []),
          ]}
          value={part === undefined ? 'all' : typeof part === 'string' ? part : 'drawn'}
          onChange={(value) => value !== 'drawn' && setPart(PARTS.find((one) => one === value))}
        />
        {typeof part === 'object' ? (
          <Button size="compact-xs" variant="default" onClick={() => setPart(undefined)}>
            {t('Show the whole span')}
          </Button>
        ) : (
          <Text size="xs" c="dimmed">
            {t('Draw over a chart to enlarge a part. Dashed lines are revisions.')}
          </Text>
        )}
      </Group>
      <RevisionEffect revisions={within} traffic={traffic} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <TimeChart
          {...shared}
          title={t('Rate')}
          times={times}
          format={rate}
          series={[{ name: t('requests'), color: blue, values: of(({ perSecond: value }) => value) }]}
        />
        <TimeChart
          {...shared}
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
          {...shared}
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
          {...shared}
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
    </Stack>
  );
}
