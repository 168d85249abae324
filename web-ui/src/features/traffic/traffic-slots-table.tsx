import { Button, Group, Paper, Title } from '@mantine/core';
import { useState } from 'react';
import { DataTable, type Column } from '@/components/data-table';
import { FIGURES_WIDTH_MIN, figureColumns } from '@/features/traffic/traffic-columns';
import { isReported, type ReportedSlot, type TrafficSlot } from '@/lib/api/get-traffic';
import { dateTime, number, t, timeOfDay } from '@/locales';

const SLOTS_SHOWN = 20;

const columns: readonly Column<ReportedSlot>[] = [
  {
    header: t('From'),
    cell: ({ at }) => (
      <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
        {timeOfDay(at)}
      </time>
    ),
  },
  ...figureColumns,
];

/** The figures of the charts, newest first. */
export function TrafficSlotsTable({ slots }: { slots: readonly TrafficSlot[] }) {
  const [all, setAll] = useState(false);
  const newest = slots
    .filter(isReported)
    .filter(({ figures }) => figures.requests > 0)
    .toReversed();
  const shown = all ? newest : newest.slice(0, SLOTS_SHOWN);
  return (
    <Paper withBorder>
      <Title order={2} size="h5" p="md" pb={4}>
        {t('Figures of the charts')}
      </Title>
      <DataTable
        label={t('Traffic by time')}
        columns={columns}
        rows={shown}
        rowKey={({ at }) => at}
        minWidth={FIGURES_WIDTH_MIN}
        dense
      />
      {shown.length < newest.length && (
        <Group p="sm">
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            {t('Show all {count}', { count: number(newest.length) })}
          </Button>
        </Group>
      )}
    </Paper>
  );
}
