import { Alert, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { announceFailure } from '@/components/announce-revision';
import { RollbackDialog } from '@/components/rollback-dialog';
import { BulkBar, type BulkType } from '@/features/resources/bulk-bar';
import { BulkDialog } from '@/features/resources/bulk-dialog';
import { listIds, MATCHES_MAX, type ListView } from '@/lib/api/list-resources';
import type { Kind } from '@/lib/kinds';
import { useLimit } from '@/lib/may-change';
import { t } from '@/locales';

const none: ReadonlySet<string> = new Set();

/** The rows that are selected, and what is done with them. */
export function useBulk(kind: Kind, view: ListView, total: number) {
  // Of other pages nobody knows which rows a token with labels may change.
  const everything = useLimit().labels === undefined;
  // Of one search: rows that no longer match are not changed unseen.
  const search = JSON.stringify({ ...view, page: undefined, sort: undefined });
  const [selected, setSelected] = useState<{ search: string; keys: ReadonlySet<string> }>();
  const keys = selected?.search === search ? selected.keys : none;
  const setKeys = (next: ReadonlySet<string>) => setSelected({ search, keys: next });
  const [type, setType] = useState<BulkType>('disable');
  const [opened, { open, close }] = useDisclosure();
  const [done, setDone] = useState<{ what: string; revision: number }>();
  const [undoing, { open: undo, close: keep }] = useDisclosure();
  const client = useQueryClient();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (done !== undefined) {
      notice.current?.focus();
    }
  }, [done]);
  const selectAll = () => {
    client
      .query(listIds(kind, view))
      .then((ids) => setKeys(new Set(ids)))
      .catch((error: unknown) =>
        announceFailure(
          t('The rows were not selected'),
          error instanceof Error ? error : new Error(String(error)),
        ),
      );
  };
  return {
    selection: { keys, onChange: setKeys },
    notice: done !== undefined && (
      <Alert
        ref={notice}
        tabIndex={-1}
        mb="md"
        color="green"
        icon={<IconCheck />}
        withCloseButton
        closeButtonLabel="Dismiss"
        onClose={() => setDone(undefined)}
        title={t('{what} in revision {revision}', { what: done.what, revision: done.revision })}
      >
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={undo}>
            {t('Undo…')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            renderRoot={(props) => (
              <Link {...props} to="/revisions/$number" params={{ number: String(done.revision) }} />
            )}
          >
            {t('See what changed')}
          </Button>
        </Group>
        <RollbackDialog
          opened={undoing}
          target={{ numbers: [done.revision - 1] }}
          onClose={keep}
          onDone={() => {
            keep();
            setDone(undefined);
          }}
        />
      </Alert>
    ),
    bar: (
      <>
        {keys.size > 0 && (
          <BulkBar
            kind={kind}
            count={keys.size}
            all={everything && total > keys.size && total <= MATCHES_MAX ? total : undefined}
            onAll={selectAll}
            onClear={() => setKeys(none)}
            onAct={(chosen) => {
              setType(chosen);
              open();
            }}
          />
        )}
        <BulkDialog
          kind={kind}
          ids={[...keys]}
          type={type}
          opened={opened}
          onClose={close}
          onStaged={() => setKeys(none)}
          onDone={(what, revision) => {
            setKeys(none);
            setDone({ what, revision });
          }}
        />
      </>
    ),
  };
}
