import {
  Alert,
  Button,
  Grid,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FieldError } from '#client';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { LeaveGuard } from '@/components/leave-guard';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { doubtsOf } from '@/components/revision-outcome';
import { usePresent } from '@/components/use-present';
import {
  CertificateFields,
  useCertificateChoice,
  type CertificateDraft,
} from '@/features/expose/certificate-fields';
import { nodeUrlOf, planOf, prefixOf, type ExposePlan, type ExposeWish } from '@/features/expose/expose-plan';
import { ExposeSentence } from '@/features/expose/expose-sentence';
import { Exposed, type Done } from '@/features/expose/exposed';
import { fieldErrorsOf, type ExposeField } from '@/features/expose/field-errors';
import { loadExisting, proxyServers, replacesAnything, useExisting } from '@/features/expose/use-existing';
import { ApiError } from '@/lib/api/api-error';
import { tryBatch, useBatch } from '@/lib/api/batch';
import { useLimit, useReadOnly } from '@/lib/may-change';
import { randomHex } from '@/lib/random-hex';
import { t } from '@/locales';

const KEY_BYTES = 24;
const NEW = '';
const monoInput = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

/** From the address of a service to a request through the gateway, in one form. */
export function ExposePage() {
  const [done, setDone] = useState<Done>();
  const routes = useReadOnly('routes');
  const passes = useReadOnly('proxy-passes');
  const refused = routes ?? passes;
  return (
    <>
      <PageHeader
        title={t('Expose a service')}
        subtitle={t(
          'Name the nodes and where clients find them. Sigma creates the missing resources, in one revision.',
        )}
      />
      {refused !== undefined ? (
        <Text size="sm">{refused}</Text>
      ) : done === undefined ? (
        <ExposeForm onDone={setDone} />
      ) : (
        <Exposed done={done} onAnother={() => setDone(undefined)} />
      )}
    </>
  );
}

function ExposeForm({ onDone }: { onDone: (done: Done) => void }) {
  const client = useQueryClient();
  const [nodes, setNodes] = useState('');
  const [host, setHost] = useState('');
  const [path, setPath] = useState('/*');
  const [stripPrefix, setStripPrefix] = useState(false);
  const [https, setHttps] = useState(false);
  const [withKey, setWithKey] = useState(false);
  const [key] = useState(() => randomHex(KEY_BYTES));
  const [chosenServer, setChosenServer] = useState<string>();
  const [port, setPort] = useState<number | ''>('');
  const [certificate, setCertificate] = useState<CertificateDraft>({});
  const [errors, setErrors] = useState<ReadonlyMap<ExposeField, string>>(new Map());
  const [elsewhere, setElsewhere] = useState<readonly FieldError[]>([]);
  const [doubts, setDoubts] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Error>();
  const [trying, setTrying] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef(false);
  const isPresent = usePresent();

  const servers = (useQuery(proxyServers).data?.items ?? []).filter(
    ({ enabled, protocol = 'HTTP' }) => enabled !== false && protocol === (https ? 'HTTPS' : 'HTTP'),
  );
  const proxyServer =
    chosenServer === NEW ? undefined : (servers.find(({ id }) => id === chosenServer) ?? servers[0]);
  const prefix = prefixOf(path.trim());
  const choice = useCertificateChoice(certificate, { https, host: host.trim(), proxyServer });
  const wish: ExposeWish = {
    nodes: nodes
      .split(/[\s,]+/)
      .map(nodeUrlOf)
      .filter((url) => url !== ''),
    host: host.trim(),
    path: path.trim(),
    stripPrefix: stripPrefix && prefix !== undefined,
    https,
    proxyServer,
    port: port === '' ? (https ? 8443 : 8080) : port,
    certificate: choice,
    key: withKey ? key : undefined,
    labels: useLimit().labels,
  };
  const shownPlan = planOf(wish, useExisting(wish));

  const batch = useBatch({
    onDone: ({ revision }) => {
      if (!isPresent()) {
        announceRevision(t('Exposed the service'), revision);
      }
    },
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(t('The service was not exposed'), error);
      }
    },
  });

  useEffect(() => {
    if (errors.size > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [errors]);

  const change = (field: ExposeField) => {
    setDoubts([]);
    setErrors((known) => new Map([...known].filter(([at]) => at !== field)));
  };

  const fail = (error: Error, plan: ExposePlan) => {
    const problems = error instanceof ApiError ? (error.problem.errors ?? []) : [];
    const located = fieldErrorsOf(problems, plan.operations);
    setErrors(located.byField);
    setElsewhere(located.elsewhere);
    setFailure(located.byField.size === 0 || located.elsewhere.length > 0 ? error : undefined);
  };

  /** @param despite the refusals of gateways were read */
  const send = async (despite: boolean) => {
    const missing = missingIn(wish);
    setErrors(missing);
    setElsewhere([]);
    setFailure(undefined);
    if (missing.size > 0) {
      return;
    }
    setTrying(true);
    let plan = shownPlan;
    try {
      plan = planOf(wish, await loadExisting(client, wish));
      const trial = await tryBatch(plan.operations);
      if (replacesAnything(plan.stations, trial.results)) {
        throw new Error(t('Another user created a resource with the same id just now. Try again.'));
      }
      // A gateway that is slow to answer is no reason to stop; the outcome tells of it.
      const refusals = doubtsOf({ votes: trial.revision.votes?.filter(({ vote }) => vote === 'REFUSE') });
      if (refusals.length > 0 && !despite) {
        setDoubts(refusals);
        return;
      }
      const { value } = await batch.mutateAsync({
        operations: plan.operations,
        message: t('Expose {host}{path}', { host: wish.host, path: wish.path }),
      });
      saved.current = true;
      onDone({ plan, revision: value.revision, key: wish.key });
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)), plan);
    } finally {
      setTrying(false);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      aria-label={t('Expose a service')}
      onSubmit={(event) => {
        event.preventDefault();
        void send(doubts.length > 0);
      }}
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="md">
            <Stack gap="md">
              <Textarea
                label={t('Node URLs')}
                description={t('The addresses that answer the requests, one a line.')}
                placeholder="http://10.0.0.1:8888"
                required
                autosize
                minRows={1}
                maxRows={6}
                value={nodes}
                error={errors.get('nodes')}
                onChange={(event) => {
                  setNodes(event.currentTarget.value);
                  change('nodes');
                }}
                spellCheck={false}
                autoComplete="off"
                styles={monoInput}
              />
              <Group grow align="start" preventGrowOverflow={false}>
                <TextInput
                  label={t('Host')}
                  description={t('The name that clients ask for. If empty, any.')}
                  placeholder="shop.example.com"
                  value={host}
                  error={errors.get('host')}
                  onChange={(event) => {
                    setHost(event.currentTarget.value);
                    change('host');
                  }}
                  spellCheck={false}
                  autoComplete="off"
                  styles={monoInput}
                />
                <TextInput
                  label={t('Path')}
                  description={t('/* is everything, /cart/* all below /cart.')}
                  required
                  value={path}
                  error={errors.get('path')}
                  onChange={(event) => {
                    setPath(event.currentTarget.value);
                    change('path');
                  }}
                  spellCheck={false}
                  autoComplete="off"
                  styles={monoInput}
                />
              </Group>
              {prefix !== undefined && (
                <Switch
                  label={t('Remove {prefix} from the path that the node receives', { prefix })}
                  checked={stripPrefix}
                  onChange={(event) => setStripPrefix(event.currentTarget.checked)}
                />
              )}
              <Switch
                label={t('HTTPS')}
                description={t('Clients connect by TLS.')}
                checked={https}
                onChange={(event) => {
                  setHttps(event.currentTarget.checked);
                  setChosenServer(undefined);
                }}
              />
              <Group grow align="start" preventGrowOverflow={false}>
                <Select
                  label={t('Proxy server')}
                  description={t('Where gateways listen.')}
                  data={[
                    ...servers.map(({ id = '', port: at }) => ({
                      value: id,
                      label: t('{id}, port {port}', { id, port: at }),
                    })),
                    { value: NEW, label: t('A new one') },
                  ]}
                  value={proxyServer?.id ?? NEW}
                  onChange={(id) => setChosenServer(id ?? undefined)}
                  allowDeselect={false}
                />
                {proxyServer === undefined && (
                  <NumberInput
                    label={t('Port')}
                    description={t('The port of the new proxy server.')}
                    placeholder={https ? '8443' : '8080'}
                    value={port}
                    error={errors.get('port')}
                    onChange={(value) => {
                      setPort(typeof value === 'number' ? value : '');
                      change('port');
                    }}
                    allowDecimal={false}
                    allowNegative={false}
                    hideControls
                  />
                )}
              </Group>
              {https && (
                <CertificateFields
                  draft={certificate}
                  choice={choice}
                  errors={errors}
                  proxyServer={proxyServer}
                  onChange={(next) => {
                    setCertificate(next);
                    change('chain');
                    change('privateKey');
                  }}
                />
              )}
              <Switch
                label={t('Ask for a key')}
                description={t(
                  'Sigma generates a key and a consumer that owns it. Requests without a key get 401.',
                )}
                checked={withKey}
                onChange={(event) => setWithKey(event.currentTarget.checked)}
              />
            </Stack>
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper withBorder p="md" component="section" aria-labelledby="plan">
            <Title order={2} size="h5" id="plan" mb="xs">
              {t('What Sigma will create')}
            </Title>
            <ExposeSentence wish={wish} plan={shownPlan} />
          </Paper>
          <Stack gap="sm" mt="md">
            {failure !== undefined && <ProblemAlert error={failure} errors={elsewhere} />}
            {doubts.length > 0 && (
              <Alert
                color="yellow"
                icon={<IconAlertTriangle />}
                role="alert"
                title={t('Nothing was created yet')}
              >
                {doubts.map((doubt) => (
                  <Text key={doubt} size="sm">
                    {doubt}
                  </Text>
                ))}
              </Alert>
            )}
            <Button type="submit" size="md" loading={trying}>
              {doubts.length > 0 ? t('Expose it anyway') : t('Expose')}
            </Button>
          </Stack>
        </Grid.Col>
      </Grid>
      <LeaveGuard blocks={() => !saved.current && (nodes.trim() !== '' || host.trim() !== '')} />
    </form>
  );
}

function missingIn({ nodes, path, https, certificate, port }: ExposeWish): ReadonlyMap<ExposeField, string> {
  const pasted = https && certificate.how === 'new' ? certificate : undefined;
  const required: readonly (readonly [ExposeField, boolean])[] = [
    ['nodes', nodes.length === 0],
    ['path', path === ''],
    ['port', port === 0],
    ['chain', pasted?.chain === ''],
    ['privateKey', pasted?.privateKey === ''],
  ];
  return new Map(required.filter(([, missing]) => missing).map(([field]) => [field, t('Required')]));
}
