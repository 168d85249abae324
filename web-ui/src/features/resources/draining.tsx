import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconHourglass, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { NodeHealth } from '#client';
import { announceRevision } from '@/components/announce-revision';
import type { Column } from '@/components/data-table';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { ChangeMessage } from '@/features/resources/change-message';
import { useBatch } from '@/lib/api/batch';
import { getResource } from '@/lib/api/get-resource';
import { nodeHealthKey } from '@/lib/api/list-node-health';
import { useReadOnly } from '@/lib/may-change';
import { t } from '@/locales';

/** Takes a node of an upstream out of the choice of gateways and back, without its form. */
export function useDraining(id: string): {
  /** Undefined for who may change nothing. */
  readonly column: Column<NodeHealth> | undefined;
  readonly dialog: ReactNode;
} {
  const upstream = useQuery(getResource('upstreams', id));
  const readOnly = useReadOnly('upstreams', upstream.data?.value.labels ?? {});
  const [url, setUrl] = useState('');
  const [opened, { open, close }] = useDisclosure();
  const nodes = upstream.data?.value.nodes ?? [];
  if (readOnly !== undefined) {
    return { column: undefined, dialog: null };
  }
  const column: Column<NodeHealth> = {
    header: t('Actions'),
    width: 110,
    cell: (row) => {
      const node = nodes.find((one) => one.url === row.url);
      // One that was discovered is not in the configuration.
      return (
        node !== undefined &&
        node.down !== true && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={
              node.drain === true ? t('Use {url}', { url: node.url }) : t('Drain {url}', { url: node.url })
            }
            leftSection={node.drain === true ? <IconPlayerPlay size={14} /> : <IconHourglass size={14} />}
            onClick={() => {
              setUrl(node.url);
              open();
            }}
          >
            {node.drain === true ? t('Use') : t('Drain')}
          </Button>
        )
      );
    },
  };
  return {
    column,
    dialog: (
      <FormDialog
        title={titleOf(nodes.find((one) => one.url === url)?.drain === true, url)}
        opened={opened}
        onClose={close}
      >
        <DrainForm id={id} url={url} onClose={close} />
      </FormDialog>
    ),
  };
}

function titleOf(drains: boolean, url: string): string {
  return drains ? t('Use node {url} again?', { url }) : t('Drain node {url}?', { url });
}

function DrainForm({
  id,
  url,
  onClose,
}: {
  readonly id: string;
  readonly url: string;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const upstream = useQuery(getResource('upstreams', id)).data;
  const [message, setMessage] = useState('');
  const nodes = upstream?.value.nodes ?? [];
  const drains = nodes.find((node) => node.url === url)?.drain === true;
  // What it does stays as it was asked for, also while the answer comes in.
  const [asked] = useState(!drains);
  const others = nodes.filter((node) => node.url !== url && node.down !== true && node.drain !== true);
  const { mutate, error, isPending } = useBatch({
    onDone: ({ revision }) => {
      announceRevision(
        asked ? t('Node {url} drains', { url }) : t('Node {url} is used again', { url }),
        revision,
      );
      void client.invalidateQueries({ queryKey: ['upstream-health', id] });
      void client.invalidateQueries({ queryKey: nodeHealthKey });
      onClose();
    },
    onFailed: () => undefined,
  });
  return (
    <DialogForm
      action={asked ? t('Drain') : t('Use')}
      saving={{ error, isPending }}
      disabled={upstream === undefined}
      onSubmit={() =>
        mutate({
          operations: [
            {
              action: 'PATCH',
              kind: 'UPSTREAM',
              id,
              body: { nodes: nodes.map((node) => (node.url === url ? { ...node, drain: asked } : node)) },
              ifMatch: upstream?.etag,
            },
          ],
          message: message.trim() || undefined,
        })
      }
      onClose={onClose}
    >
      <Text size="sm">
        {asked
          ? t(
              'Gateways send it no new requests. Requests in progress end normally, and health checks continue.',
            )
          : t('Gateways send it requests again.')}
      </Text>
      {asked && others.length === 0 && (
        <Text size="sm" c="var(--mantine-color-error)" fw={550}>
          {t('No other node of this upstream is in service, so its requests will fail.')}
        </Text>
      )}
      <ChangeMessage value={message} onChange={setMessage} />
    </DialogForm>
  );
}
