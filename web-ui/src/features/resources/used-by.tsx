import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ResourceLink } from '@/components/resource-link';
import { searchResources } from '@/lib/api/search-resources';
import { kinds, type Kind, type Reference } from '@/lib/kinds';
import { t } from '@/locales';

const SHOWN_MAX = 5;

/** Which resources refer to this one. */
export function UsedBy({ kind, id }: { kind: Kind; id: string }) {
  return kinds[kind].usedBy.map((reference) => (
    <Users key={`${reference.kind} ${reference.key}`} reference={reference} id={id} />
  ));
}

function Users({ reference, id }: { reference: Reference; id: string }) {
  const { kind, key } = reference;
  const { data } = useQuery(searchResources(kind, { [key]: id }, SHOWN_MAX));
  if (data === undefined) {
    return null;
  }
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        {data.items.length === 0
          ? t('No {singular} uses it yet.', { singular: kinds[kind].singular })
          : t('Used by {plural}', { plural: kinds[kind].plural })}
      </Text>
      {data.items.map((item) => (
        <ResourceLink key={item.id} kind={kind} id={item.id ?? ''} />
      ))}
      {data.nextCursor !== undefined && (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/$kind" params={{ kind }} search={{ [key]: id }} />}
        >
          {t('and more')}
        </Anchor>
      )}
    </Group>
  );
}
