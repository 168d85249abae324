import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { JsonEdit } from '@/features/resources/json/json-edit';
import { JsonText } from '@/features/resources/json/json-text';
import type { Answer } from '@/lib/api/client';
import { quoted } from '@/lib/curl-for';
import { listNameOf, type Kind, type Resources } from '@/lib/kinds';
import { useReadOnly } from '@/lib/may-change';
import { startOf, unstage, type StagedChange } from '@/lib/staged';
import { rich, t } from '@/locales';

interface ResourceJsonProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  readonly newest: Answer<Resources[K]>;
  readonly staged: StagedChange | undefined;
}

/** A resource as programs see it: to be copied in three forms, and to be edited as a text. */
export function ResourceJson<K extends Kind>({ kind, id, newest, staged }: ResourceJsonProps<K>) {
  const readOnly = useReadOnly(kind, newest.value.labels ?? {});
  const [read, setRead] = useState(() => startOf(newest, staged));
  const [follows, setFollows] = useState(staged === undefined);
  const [saved, setSaved] = useState(false);
  if (follows && newest.etag !== read.etag) {
    // Nobody has typed, or what was typed is saved.
    setRead(newest);
  }
  const resource = newest.value;
  const json = JSON.stringify(resource, null, 2);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Copy what="JSON" text={json} />
        <Copy what={t('curl command')} text={putCommand(kind, id, resource)} />
        <Copy what={t('part of a state file')} text={stateFile(kind, resource)} />
      </Group>
      <Text size="sm" c="dimmed">
        {rich(
          'Secrets are not shown, and a write without them keeps the stored ones. Add the part of a state file to your whole file: {command} deletes what its file does not contain.',
          { command: <code>sigma apply</code> },
        )}
      </Text>
      {readOnly === undefined ? (
        <JsonEdit
          key={read.etag}
          kind={kind}
          id={id}
          read={read}
          staged={staged?.body}
          newestEtag={newest.etag}
          takesFocus={saved}
          onReload={(theirs) => {
            unstage([{ kind, id }]);
            setFollows(true);
            setRead(theirs);
          }}
          onText={(changed) => setFollows(!changed)}
          onSaved={() => {
            setFollows(true);
            setSaved(true);
          }}
        />
      ) : (
        <>
          <Text size="sm">{readOnly}</Text>
          <JsonText>{json}</JsonText>
        </>
      )}
    </Stack>
  );
}

function Copy({ what, text }: { what: string; text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {copied ? t('Copied') : t('Copy as {what}', { what })}
        </Button>
      )}
    </CopyButton>
  );
}

/** Returns the command that writes the resource as it is shown. */
export function putCommand<K extends Kind>(kind: K, id: string, resource: Resources[K]): string {
  const url = `${window.location.origin}/api/v1/${kind}/${encodeURIComponent(id)}?wait=all`;
  return [
    `curl -X PUT ${quoted(url)}`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(resource))}`,
  ].join(' \\\n');
}

/** Returns a file of the whole state that has this resource alone. JSON is YAML too. */
export function stateFile<K extends Kind>(kind: K, resource: Resources[K]): string {
  return JSON.stringify({ [listNameOf(kind)]: [resource] }, null, 2);
}
