import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChartLine, IconCopy, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Route } from '#client';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { announceRevision } from '@/components/announce-revision';
import { DeleteDialog } from '@/features/resources/delete-dialog';
import { ResourceFindings } from '@/features/resources/resource-findings';
import { ResourceForm } from '@/features/resources/resource-form';
import { TryIt } from '@/features/resources/try-it';
import { UpstreamHealth } from '@/features/resources/upstream-health';
import { UsedBy } from '@/features/resources/used-by';
import { ApiError } from '@/lib/api/api-error';
import type { Answer } from '@/lib/api/client';
import { getResource } from '@/lib/api/get-resource';
import { capitalized, kinds, type Kind, type Resources } from '@/lib/kinds';
import { useHasRole } from '@/lib/session';

interface EditPageProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  readonly onDone: () => void;
}

export function EditPage<K extends Kind>({ kind, id, onDone }: EditPageProps<K>) {
  const { singular, plural } = kinds[kind];
  const query = useQuery(getResource(kind, id));
  const gone = query.error instanceof ApiError && query.error.status === 404;
  const mayChange = useHasRole('EDITOR');
  const counted = kind === 'routes' ? 'route' : kind === 'upstreams' ? 'upstream' : undefined;
  const [deleting, { open: askToDelete, close: closeDialog }] = useDisclosure();
  return (
    <>
      <PageHeader
        title={query.data?.value.name ?? id}
        above={
          <Anchor size="xs" renderRoot={(props) => <Link {...props} to="/$kind" params={{ kind }} />}>
            {capitalized(plural)}
          </Anchor>
        }
        subtitle={
          <>
            {capitalized(singular)} <Mono>{id}</Mono>
          </>
        }
        actions={
          <>
            {counted !== undefined && (
              <Button
                variant="default"
                leftSection={<IconChartLine size={16} />}
                renderRoot={(props) => <Link {...props} to="/traffic" search={{ kind: counted, id }} />}
              >
                Traffic
              </Button>
            )}
            {mayChange && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconCopy size={16} />}
                  renderRoot={(props) => (
                    <Link {...props} to="/new/$kind" params={{ kind }} search={{ from: id }} />
                  )}
                >
                  Duplicate
                </Button>
                {!gone && (
                  <Button variant="default" leftSection={<IconTrash size={16} />} onClick={askToDelete}>
                    Delete
                  </Button>
                )}
              </>
            )}
          </>
        }
      />
      <UsedBy kind={kind} id={id} />
      <ResourceFindings kind={kind} id={id} />
      {query.data !== undefined && isRoute(query.data.value) && <TryIt route={query.data.value} />}
      {kind === 'upstreams' && <UpstreamHealth id={id} />}
      <QueryView query={query}>
        {(newest) => <EditForm key={id} kind={kind} id={id} newest={newest} gone={gone} onDone={onDone} />}
      </QueryView>
      <DeleteDialog opened={deleting} kind={kind} id={id} onClose={closeDialog} onDeleted={onDone} />
    </>
  );
}

function isRoute(resource: Resources[Kind]): resource is Route {
  return 'path' in resource;
}

interface EditFormProps<K extends Kind> extends EditPageProps<K> {
  readonly newest: Answer<Resources[K]>;
  readonly gone: boolean;
}

/** Edits what was read when it was opened, however often the query is refreshed meanwhile. */
function EditForm<K extends Kind>({ kind, id, newest, gone, onDone }: EditFormProps<K>) {
  const [read, setRead] = useState(newest);
  const mayChange = useHasRole('EDITOR');
  if (!mayChange && newest.etag !== read.etag) {
    // Nothing can be lost of somebody who changes nothing.
    setRead(newest);
  }
  return (
    <ResourceForm
      key={read.etag}
      kind={kind}
      initial={read.value}
      editing={{ id, etag: read.etag, newestEtag: newest.etag, gone, onReload: setRead }}
      onSaved={({ revision }) => announceRevision(`Saved ${kinds[kind].singular} ${id}`, revision)}
      onDone={onDone}
    />
  );
}
