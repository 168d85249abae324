import { Button, Code, CopyButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { quoted } from '@/lib/curl-for';
import type { Kind, Resources } from '@/lib/kinds';

interface ResourceJsonProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  readonly resource: Resources[K];
}

/** A resource as programs see it, to be copied in three forms. */
export function ResourceJson<K extends Kind>({ kind, id, resource }: ResourceJsonProps<K>) {
  const json = JSON.stringify(resource, null, 2);
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Copy what="JSON" text={json} />
        <Copy what="curl command" text={putCommand(kind, id, resource)} />
        <Copy what="part of a state file" text={stateFile(kind, resource)} />
      </Group>
      <Text size="sm" c="dimmed">
        Secrets are not shown, and a write without them keeps the stored ones. Add the part of a state file to
        your whole file: <code>sigma apply</code> deletes what its file does not contain.
      </Text>
      <Paper withBorder>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {json}
        </Code>
      </Paper>
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
          {copied ? 'Copied' : `Copy as ${what}`}
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
  const list = kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return JSON.stringify({ [list]: [resource] }, null, 2);
}
