import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SearchHit } from '#client';
import { nearestText } from '@/components/nearest-text';
import { ResourceLink } from '@/components/resource-link';
import { search } from '@/lib/api/search';
import { capitalized, kindOf, kinds, type Kind } from '@/lib/kinds';
import { soughtBy } from '@/lib/sought-by';
import { t } from '@/locales';

const SHOWN_MAX = 5;

interface NearestHitsProps {
  /** What somebody looked for in vain. */
  readonly text: string;
  /** The kind in which nothing was found; by default only what nearly matches is shown. */
  readonly kind?: Kind;
}

/** What somebody may have meant: resources of other kinds that match, and those that nearly do. */
export function NearestHits({ text, kind }: NearestHitsProps) {
  const { data, isPlaceholderData } = useQuery(search(soughtBy(text), SHOWN_MAX));
  if (data === undefined || isPlaceholderData) {
    return null;
  }
  const elsewhere = kind === undefined ? [] : data.items.filter((hit) => kindOf(hit.kind) !== kind);
  const hits = [...(data.nearest ?? []), ...elsewhere].slice(0, SHOWN_MAX);
  return hits.length === 0 ? null : (
    <section aria-label={t('Nearest matches')}>
      <Text size="sm" fw={600} mb={4}>
        {t('Nearest matches')}
      </Text>
      <List listStyleType="none" spacing={6} size="sm" ta="start">
        {hits.map((hit) => (
          <NearestHit key={`${hit.kind} ${hit.id}`} hit={hit} />
        ))}
      </List>
    </section>
  );
}

function NearestHit({ hit }: { readonly hit: SearchHit }) {
  const kind = kindOf(hit.kind);
  const text = nearestText(hit) ?? hit.found.map(({ value }) => value).join(', ');
  return (
    <List.Item>
      {capitalized(kinds[kind].singular)} <ResourceLink kind={kind} id={hit.id} />
      {hit.enabled === false && (
        <Text span size="xs" c="dimmed">
          {' '}
          {t('disabled')}
        </Text>
      )}
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </List.Item>
  );
}
