import { Anchor, Group, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ResourceLink } from '@/components/resource-link';
import { searchResources } from '@/lib/api/search-resources';
import { kinds, type Kind, type Reference } from '@/lib/kinds';
import { t } from '@/locales';

const SHOWN_MAX = 5;

/** Which resources refer to this one, or that none does. */
export function UsedBy({ kind, id }: { kind: Kind; id: string }) {
  const { usedBy } = kinds[kind];
  const answers = useQueries({
    queries: usedBy.map(({ kind: user, key }) => searchResources(user, { [key]: id }, SHOWN_MAX)),
  });
  const found = answers.flatMap(({ data }) => (data === undefined ? [] : [data.items.length]));
  if (usedBy.length > 0 && found.length === usedBy.length && found.every((count) => count === 0)) {
    return (
      <Text size="sm" c="dimmed" mb="md">
        {t('Nothing uses it yet.')}
      </Text>
    );
  }
  return usedBy.map((reference, index) => {
    const data = answers[index]?.data;
    return (
      data !== undefined &&
      data.items.length > 0 && (
        <Users key={`${reference.kind} ${reference.key}`} reference={reference} id={id} list={data} />
      )
    );
  });
}

interface UsersProps {
  readonly reference: Reference;
  readonly id: string;
  readonly list: { readonly items: readonly { readonly id?: string }[]; readonly nextCursor?: string };
}

function Users({ reference: { kind, key }, id, list: { items, nextCursor } }: UsersProps) {
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed">
        {t('Used by {plural}', { plural: kinds[kind].plural })}
      </Text>
      {items.map((item) => (
        <ResourceLink key={item.id} kind={kind} id={item.id ?? ''} />
      ))}
      {nextCursor !== undefined && (
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
