import { Anchor, Group, Select, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Revision } from '#client';
import { beforeAndAfter, type Effect } from '@/components/traffic-window';
import type { TrafficSlots } from '@/lib/api/get-traffic';
import { millis, percent, short } from '@/lib/figures';
import { t } from '@/locales';

const SIDE_MILLIS_MAX = 600_000;

interface RevisionEffectProps {
  readonly revisions: readonly Revision[];
  readonly traffic: TrafficSlots;
}

/** What came before and after a revision, for who wonders what it did. */
export function RevisionEffect({ revisions, traffic }: RevisionEffectProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const revision = revisions.find(({ number }) => String(number) === chosen);
  const effect =
    revision &&
    beforeAndAfter(traffic.slots, traffic.slotSeconds, Date.parse(revision.committedAt), SIDE_MILLIS_MAX);
  if (revisions.length === 0) {
    return null;
  }
  return (
    <Group align="flex-end" gap="md" role="group" aria-label={t('Before and after a revision')}>
      <Select
        label={t('Before and after revision')}
        placeholder={t('Choose a revision')}
        data={revisions.map(({ number, message }) => ({
          value: String(number),
          label: message ? `${number}: ${message}` : String(number),
        }))}
        value={revision === undefined ? null : chosen}
        onChange={setChosen}
        clearable
        w={260}
      />
      {revision !== undefined &&
        (effect === undefined ? (
          <Text size="sm" c="dimmed">
            {t('One of the two revisions has no figures yet.')}
          </Text>
        ) : (
          <>
            <Table
              w="auto"
              verticalSpacing={2}
              horizontalSpacing="sm"
              aria-label={t('Effect of revision {number}', { number: revision.number })}
            >
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{minutesOf(effect.millis)}</Table.Th>
                  <Table.Th ta="right">{t('Requests')}</Table.Th>
                  <Table.Th ta="right">{t('Failed')}</Table.Th>
                  <Table.Th ta="right">p95</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                <Side name={t('Before')} effect={effect.before} />
                <Side name={t('After')} effect={effect.after} />
              </Table.Tbody>
            </Table>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to="/revisions/$number" params={{ number: String(revision.number) }} />
              )}
            >
              {t('See what changed')}
            </Anchor>
          </>
        ))}
    </Group>
  );
}

function Side({ name, effect }: { readonly name: string; readonly effect: Effect }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td ta="right">{short(effect.requestsPerSecond)}/s</Table.Td>
      <Table.Td ta="right">{percent(effect.failed, 1)}</Table.Td>
      <Table.Td ta="right">{effect.p95Millis === undefined ? '—' : millis(effect.p95Millis)}</Table.Td>
    </Table.Tr>
  );
}

function minutesOf(time: number): string {
  return time < 90_000
    ? t('{seconds} s each', { seconds: short(Math.round(time / 1000)) })
    : t('{minutes} min each', { minutes: short(Math.round(time / 60_000)) });
}
