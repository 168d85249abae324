import { Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconPencil, IconPlus } from '@tabler/icons-react';
import { Mono } from '@/components/mono';
import { kindIcons } from '@/components/kind-icons';
import type { ExposePlan, ExposeWish, Station } from '@/features/expose/expose-plan';
import { kinds } from '@/lib/kinds';
import { rich, t } from '@/locales';

const marks = {
  new: { Icon: IconPlus, word: t('new') },
  used: { Icon: IconCheck, word: t('already there') },
  changed: { Icon: IconPencil, word: t('gets the certificate') },
} as const satisfies Record<Station['what'], unknown>;

/** What will be made, in words, and the resources for it. */
export function ExposeSentence({ wish, plan }: { wish: ExposeWish; plan: ExposePlan }) {
  const { nodes, host, path, https, key } = wish;
  const { port } = plan.proxyServer;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {rich(
          https
            ? 'HTTPS requests for {address} on port {port} go to {nodes}'
            : 'Requests for {address} on port {port} go to {nodes}',
          {
            address: (
              <>
                <Mono>
                  {host}
                  {path}
                </Mono>
                {host === '' && t(' of any host')}
              </>
            ),
            port: (
              <>
                <Mono>{port}</Mono>
                {key !== undefined && t(' that carry a key')}
              </>
            ),
            nodes: (
              <>
                {nodes.length === 0 ? t('the node.') : <Mono>{nodes.join(', ')}</Mono>}
                {nodes.length > 1 && t(', one after the other.')}
              </>
            ),
          },
        )}
      </Text>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {plan.stations.map((station) => (
          <Line key={`${station.kind} ${station.id}`} {...station} />
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t('The changes make one revision. To undo them, roll that revision back.')}
      </Text>
    </Stack>
  );
}

function Line({ kind, id, what }: Station) {
  const { Icon, word } = marks[what];
  const KindIcon = kindIcons[kind];
  return (
    <Group component="li" gap={8} wrap="nowrap" py={3}>
      <KindIcon size={16} aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" style={{ flex: 1, minWidth: 0 }}>
        {kinds[kind].singular} <Mono long>{id}</Mono>
      </Text>
      <Group gap={4} wrap="nowrap" c={what === 'new' ? undefined : 'dimmed'}>
        <Icon size={14} aria-hidden />
        <Text size="xs">{word}</Text>
      </Group>
    </Group>
  );
}
