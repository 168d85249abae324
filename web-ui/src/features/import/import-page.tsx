import {
  Button,
  Checkbox,
  FileButton,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Kind, type ImportResult } from '#client';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { ReferenceInput } from '@/components/form/reference-input';
import { LeaveGuard } from '@/components/leave-guard';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { usePresent } from '@/components/use-present';
import { ExportButtons } from '@/features/import/export-buttons';
import { ImportPreview } from '@/features/import/import-preview';
import { ImportsCard } from '@/features/import/imports-card';
import type { Answer } from '@/lib/api/client';
import { useImport, type Import } from '@/lib/api/import-document';
import { useLimit } from '@/lib/may-change';
import { useHasRole, useMayWrite } from '@/lib/session';
import { t } from '@/locales';

export function ImportPage() {
  const refused = useRefused();
  return (
    <>
      <PageHeader
        title={t('Import and export')}
        subtitle={t('Preview the changes of a document, then commit them as one revision.')}
        actions={<ExportButtons />}
      />
      {refused === undefined ? (
        <ImportForm />
      ) : (
        <Text size="sm" c="dimmed">
          {refused}
        </Text>
      )}
      <ImportsCard mayChange={refused === undefined} />
    </>
  );
}

/** What an import of either format creates. */
const IMPORTED = [Kind.Upstream, Kind.ProxyPass, Kind.Router, Kind.Route];

/** Returns why whoever is logged in may not import, in a sentence; undefined where one may. */
function useRefused(): string | undefined {
  const editor = useHasRole('EDITOR');
  const mayWrite = useMayWrite();
  const { labels } = useLimit();
  if (!editor) {
    return t('Your role, viewer, can export. It cannot import.');
  }
  if (labels !== undefined) {
    return t('Your token can export. It cannot import, because imported resources lack its labels.');
  }
  return mayWrite(...IMPORTED)
    ? undefined
    : t('Your token can export. It cannot import, because it cannot change every kind of an import.');
}

interface Shown extends Answer<ImportResult> {
  readonly dryRun: boolean;
}

function ImportForm() {
  const [format, setFormat] = useState<Import['format']>('openapi');
  const [text, setText] = useState('');
  const [proxyServerId, setProxyServerId] = useState('');
  const [id, setId] = useState('');
  const [hosts, setHosts] = useState<string[]>([]);
  const [nodes, setNodes] = useState<string[]>([]);
  const [server, setServer] = useState<number | ''>('');
  const [removeVanished, setRemoveVanished] = useState(false);
  const [force, setForce] = useState(false);
  const [result, setResult] = useState<Shown | undefined>();
  const committed = useRef(false);
  const isPresent = usePresent();
  const { mutate, isPending, error, reset } = useImport({
    onDone: ({ dryRun, value }) => {
      if (!dryRun && !isPresent()) {
        announceRevision(t('Imported the document'), value.revision);
      }
    },
    onFailed: (failure) => {
      if (!isPresent()) {
        announceFailure(t('The document was not imported'), failure);
      }
    },
  });

  const wanted: Import =
    format === 'sigma-json'
      ? { format, text }
      : {
          format,
          text,
          proxyServerId,
          id: id === '' ? undefined : id,
          hosts,
          nodes,
          server: server === '' ? undefined : server,
          removeVanished,
          force,
        };
  const ready = text.trim() !== '' && (format === 'sigma-json' || proxyServerId !== '');

  /** What was previewed is no longer what would be done. */
  function changed() {
    committed.current = false;
    setResult(undefined);
    reset();
  }

  function send(dryRun: boolean) {
    const ifMatch = dryRun ? undefined : result?.etag;
    mutate(
      { wanted, dryRun, ifMatch },
      {
        onSuccess: (answer) => {
          committed.current = !dryRun;
          setResult({ dryRun, ...answer });
        },
      },
    );
  }

  return (
    <>
      <Paper withBorder p="md">
        <Stack gap="sm" onChange={changed}>
          <Group justify="space-between">
            <SegmentedControl
              aria-label={t('Format')}
              value={format}
              onChange={(value) => setFormat(value)}
              data={[
                { value: 'openapi', label: 'OpenAPI' },
                { value: 'sigma-json', label: 'sigma.json' },
              ]}
            />
            <FileButton
              accept=".json,.yaml,.yml"
              onChange={(file) => {
                void file?.text().then((read) => {
                  setText(read);
                  changed();
                });
              }}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
                  {t('Choose a file')}
                </Button>
              )}
            </FileButton>
          </Group>
          <Textarea
            label={t('Document')}
            description={
              format === 'openapi'
                ? t('OpenAPI 3, JSON or YAML.')
                : t('A sigma.json file. The import deletes nothing.')
            }
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={8}
            maxRows={20}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          />
          {format === 'openapi' && (
            <>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                <ReferenceInput
                  kind="proxy-servers"
                  label={t('Proxy server')}
                  description={t('The proxy server of the new router.')}
                  withAsterisk
                  value={proxyServerId}
                  onChange={(chosen) => setProxyServerId(chosen ?? '')}
                />
                <TextInput
                  label={t('Id')}
                  description={t('If empty, the id comes from the title.')}
                  value={id}
                  onChange={(event) => setId(event.currentTarget.value)}
                />
              </SimpleGrid>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                <TagsInput
                  label={t('Hosts')}
                  description={t('If empty, the router keeps its hosts. A new router then takes any host.')}
                  value={hosts}
                  onChange={(value) => {
                    setHosts(value);
                    changed();
                  }}
                />
                <TagsInput
                  label={t('Nodes')}
                  description={t("URLs that replace the document's server.")}
                  value={nodes}
                  onChange={(value) => {
                    setNodes(value);
                    changed();
                  }}
                />
              </SimpleGrid>
              <NumberInput
                label={t('Server')}
                description={t(
                  "Index of the document's server, from 0. If empty, the first one that a gateway can reach.",
                )}
                allowDecimal={false}
                min={0}
                max={1000}
                value={server}
                onChange={(value) => {
                  setServer(typeof value === 'number' ? value : '');
                  changed();
                }}
              />
              <Checkbox
                label={t('Delete routes of an earlier import whose operations no longer exist')}
                checked={removeVanished}
                onChange={(event) => setRemoveVanished(event.currentTarget.checked)}
              />
              <Checkbox
                label={t('Import even if operations lose additions to their routes')}
                checked={force}
                onChange={(event) => setForce(event.currentTarget.checked)}
              />
            </>
          )}
        </Stack>
        <Group mt="md">
          <Button variant="default" disabled={!ready} loading={isPending} onClick={() => send(true)}>
            {t('Preview')}
          </Button>
          <Button
            disabled={result?.dryRun !== true || result.value.revision.changed === false}
            loading={isPending}
            onClick={() => send(false)}
          >
            {t('Commit')}
          </Button>
          {result === undefined && (
            <Text size="sm" c="dimmed">
              {t('Preview first.')}
            </Text>
          )}
        </Group>
      </Paper>
      {error !== null && (
        <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>
          <ProblemAlert error={error} inDocument />
        </div>
      )}
      <LeaveGuard blocks={() => text.trim() !== '' && !committed.current} />
      {result !== undefined && <ImportPreview result={result.value} dryRun={result.dryRun} />}
    </>
  );
}
