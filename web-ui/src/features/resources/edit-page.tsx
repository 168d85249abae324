import { Alert, Anchor, Button, Group } from '@mantine/core';
import { IconCopy, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { announceRevision } from '@/features/resources/announce-revision';
import { DeleteDialog } from '@/features/resources/delete-dialog';
import { ResourceForm } from '@/features/resources/resource-form';
import { UsedBy } from '@/features/resources/used-by';
import type { Answer } from '@/lib/api/client';
import { getResource } from '@/lib/api/get-resource';
import { capitalized, kinds, type Kind, type Resources } from '@/lib/kinds';

interface EditPageProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  readonly onDone: () => void;
}

export function EditPage<K extends Kind>({ kind, id, onDone }: EditPageProps<K>) {
  const { singular, plural } = kinds[kind];
  const query = useQuery(getResource(kind, id));
  const [deleting, setDeleting] = useState(false);
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
            <Button
              variant="default"
              leftSection={<IconCopy size={16} />}
              renderRoot={(props) => (
                <Link {...props} to="/new/$kind" params={{ kind }} search={{ from: id }} />
              )}
            >
              Duplicate
            </Button>
            <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </>
        }
      />
      <UsedBy kind={kind} id={id} />
      <QueryView query={query}>
        {(newest) => <EditForm key={id} kind={kind} id={id} newest={newest} onDone={onDone} />}
      </QueryView>
      {deleting && (
        <DeleteDialog
          kind={kind}
          id={id}
          ifMatch={query.data?.etag}
          onClose={() => setDeleting(false)}
          onDeleted={onDone}
        />
      )}
    </>
  );
}

interface EditFormProps<K extends Kind> extends EditPageProps<K> {
  readonly newest: Answer<Resources[K]>;
}

/** Edits what was read when it was opened, however often the query is refreshed meanwhile. */
function EditForm<K extends Kind>({ kind, id, newest, onDone }: EditFormProps<K>) {
  const [read, setRead] = useState(newest);
  const [saving, setSaving] = useState(false);
  const changed = newest.etag !== read.etag && !saving;
  const { singular } = kinds[kind];
  return (
    <>
      {changed && (
        <Alert color="yellow" mb="md" title={`This ${singular} was changed while you have it open`}>
          <Group justify="space-between">
            Your form shows how it was before.
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              onClick={() => setRead(newest)}
            >
              Reload it
            </Button>
          </Group>
        </Alert>
      )}
      <ResourceForm
        key={read.etag}
        kind={kind}
        initial={read.value}
        editing={{ id, etag: read.etag }}
        onSaved={({ revision }) => {
          setSaving(true);
          announceRevision(`Saved ${singular} ${id}`, revision);
          onDone();
        }}
        onCancel={onDone}
        onReload={setRead}
      />
    </>
  );
}
