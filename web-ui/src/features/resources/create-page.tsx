import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { announceRevision } from '@/components/announce-revision';
import { copyOf } from '@/features/resources/copy-of';
import { ResourceForm } from '@/features/resources/resource-form';
import { getResource } from '@/lib/api/get-resource';
import type { Written } from '@/lib/api/resource-api';
import { kinds, type Kind, type Resources } from '@/lib/kinds';
import { useLimit } from '@/lib/may-change';
import { useStagedChange } from '@/lib/staged';
import { t } from '@/locales';

interface CreatePageProps<K extends Kind> {
  readonly kind: K;
  /** The id of a resource to start from. */
  readonly from: string | undefined;
  /** Fields that are known already, such as the reference by which a list was filtered. */
  readonly known: Partial<Resources[K]>;
  readonly onDone: () => void;
}

export function CreatePage<K extends Kind>({ kind, from, known, onDone }: CreatePageProps<K>) {
  const { singular, meaning } = kinds[kind];
  const change = useStagedChange(kind, from);
  // One that is staged to be created is edited on here.
  // Without them, a restricted token may not create it.
  const { labels } = useLimit();
  const [staged] = useState(change?.base === undefined ? change?.body : undefined);
  const original = useQuery({
    ...getResource(kind, from ?? ''),
    enabled: from !== undefined && staged === undefined,
  });
  const created = ({ resource, revision }: Written<Resources[K]>) => {
    announceRevision(t('Created {singular} {id}', { singular, id: resource.id ?? '' }), revision);
  };
  const form = (initial: Partial<Resources[K]>) => (
    <ResourceForm
      kind={kind}
      initial={labels === undefined ? initial : { ...initial, labels: { ...initial.labels, ...labels } }}
      staged={staged}
      editing={undefined}
      onSaved={created}
      onDone={onDone}
    />
  );
  return (
    <>
      <PageHeader
        title={t('New {kind}', { kind: singular })}
        subtitle={
          from === undefined
            ? meaning
            : staged !== undefined
              ? t('The resource is staged, and not published yet.')
              : t(
                  kind === 'consumers'
                    ? 'This form starts as a copy of {from}, without its keys and passwords.'
                    : 'This form starts as a copy of {from}.',
                  { from },
                )
        }
      />
      {from === undefined || staged !== undefined ? (
        form(known)
      ) : (
        <QueryView query={original}>{({ value }) => form(copyOf(value))}</QueryView>
      )}
    </>
  );
}
