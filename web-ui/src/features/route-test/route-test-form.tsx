import {
  Autocomplete,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { RequestProtocol, type BatchOperation, type FieldError } from '#client';
import { labelOf } from '@/components/form/label-of';
import { FieldErrorText } from '@/components/form/field-error-text';
import { messageOf } from '@/components/form/field-messages';
import { LeaveGuard } from '@/components/leave-guard';
import { ReferenceInput } from '@/components/form/reference-input';
import { stepsOf } from '@/lib/json-pointer';
import { listGateways } from '@/lib/api/list-gateways';
import type { RouteTestWish } from '@/lib/api/test-route';
import { operationsOf } from '@/lib/batch-operations';
import { requestIn, requestOrPathIn } from '@/lib/request-in';
import { useHasRole } from '@/lib/session';
import { t } from '@/locales';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const protocolNames: Readonly<Record<RequestProtocol, string>> = {
  HTTP_1_1: 'HTTP/1.1',
  HTTP_2: 'HTTP/2',
};

/** What most requests do without. */
const moreKeys = [
  'headers',
  'host',
  'clientAddress',
  'sni',
  'alpn',
  'protocol',
  'proxyServerId',
  'gatewayId',
  'revision',
] as const satisfies readonly (keyof RouteTestWish)[];

const codeStyles = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 },
} as const;

interface RouteTestFormProps {
  readonly wish: RouteTestWish;
  readonly errors: readonly FieldError[];
  readonly pending: boolean;
  readonly onTest: (wish: RouteTestWish, operations?: readonly BatchOperation[]) => void;
}

export function RouteTestForm({ wish, errors, pending, onTest }: RouteTestFormProps) {
  const [draft, setDraft] = useState(wish);
  const [shown, setShown] = useState(wish);
  if (JSON.stringify(wish) !== JSON.stringify(shown)) {
    // Another address, such as by the browser's way back. The form stays, and with it the focus.
    setShown(wish);
    setDraft(wish);
  }
  const gateways = useQuery(listGateways).data ?? [];
  const mayDraft = useHasRole('EDITOR');
  const [operations, setOperations] = useState('');
  const [unreadable, setUnreadable] = useState<string>();
  const operationsInput = useRef<HTMLTextAreaElement>(null);
  const change = (part: RouteTestWish) => setDraft((known) => ({ ...known, ...part }));
  const error = (pointer: string) =>
    errors
      .filter(({ pointer: at }) => at === pointer || at.startsWith(`${pointer}/`))
      .map((wrong) => messageOf(wrong, { label: labelOf(stepsOf(pointer)[0] ?? '') }))
      .join(' ') || undefined;
  const test = () => {
    // What was typed is read as what was pasted.
    const request = requestIn(draft.url ?? '');
    const typed = request === undefined ? draft : { ...draft, ...said(request) };
    const read = operationsOf(operations);
    setUnreadable(read.error);
    if (read.error === undefined) {
      onTest(wishOf(typed), read.operations);
    } else {
      setOpened(true);
      operationsInput.current?.focus();
    }
  };
  const filled =
    moreKeys.filter((key) => (draft[key] ?? '') !== '').length + (operations.trim() === '' ? 0 : 1);
  const more = errors.some(({ pointer }) => !/^\/(url|method)(\/|$)/.test(pointer));
  const [opened, setOpened] = useState<boolean>();
  // What somebody sent, or what is wrong, is not hidden.
  const open = more || (opened ?? filled > 0);
  const refused = errors.filter(({ pointer }) => /^\/operations(\/|$)/.test(pointer));
  const text = (key: 'host' | 'clientAddress' | 'sni' | 'alpn', label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={draft[key] ?? ''}
      error={error(`/${key}`)}
      onChange={(event) => change({ [key]: event.currentTarget.value.trim() || undefined })}
      autoComplete="off"
    />
  );
  return (
    <Paper withBorder p="md">
      <form
        aria-label={t('Request to test')}
        onSubmit={(event) => {
          event.preventDefault();
          test();
        }}
      >
        <TextInput
          label="URL"
          description={t(
            'Or a path, or paste a curl command or a line of a log. tcp:// and tls:// test ports without HTTP. bolt://host:port/class, dubbo:// and thrift://host:port/service/method test requests in frames.',
          )}
          placeholder="https://shop.example.com/api/carts?id=7"
          value={draft.url ?? ''}
          onChange={(event) => change({ url: event.currentTarget.value })}
          onPaste={(event) => {
            const { selectionStart, selectionEnd, value } = event.currentTarget;
            const replaced = (selectionEnd ?? 0) - (selectionStart ?? 0) === value.length;
            const request = requestOrPathIn(event.clipboardData.getData('text'));
            if (request !== undefined && replaced) {
              event.preventDefault();
              setDraft({ proxyServerId: draft.proxyServerId, ...said(request) });
            }
          }}
          error={error('/url')}
          required
          spellCheck={false}
          autoComplete="off"
        />
        <Group mt="sm" align="flex-end" gap="sm">
          <Autocomplete
            label={t('Method')}
            data={methods}
            value={draft.method ?? 'GET'}
            onChange={(method) => change({ method })}
            error={error('/method')}
            w={120}
          />
          {/* Never disabled: that would take the focus away. */}
          <Button type="submit" aria-busy={pending}>
            {t('Test')}
          </Button>
        </Group>
        <Button
          variant="subtle"
          size="compact-sm"
          mt="sm"
          ml={-8}
          aria-expanded={open}
          onClick={() => setOpened(!open)}
          leftSection={open ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        >
          {filled === 0
            ? t('More request fields')
            : t('More request fields ({number} set)', { number: filled })}
        </Button>
        {open && (
          <>
            <Textarea
              mt="sm"
              label={t('Header fields')}
              description={t('One per line, as Name: value. With bolt:// these are the header pairs.')}
              value={draft.headers ?? ''}
              onChange={(event) => change({ headers: event.currentTarget.value })}
              error={error('/headers')}
              autosize
              minRows={2}
              maxRows={10}
              spellCheck={false}
              styles={codeStyles}
            />
            <SimpleGrid cols={{ base: 1, xs: 2, md: 1, lg: 2 }} spacing="sm" mt="sm">
              {text('host', t('Host'), t('If empty, the host of the URL.'))}
              {text('clientAddress', t('Client address'), t('If empty, 127.0.0.1.'))}
              {text('sni', 'SNI', t('If empty, the same as the host.'))}
              {text('alpn', 'ALPN', t('The protocols that the client offers, such as h2, http/1.1.'))}
              <Select
                label={t('Protocol')}
                description={t('The protocol of the client.')}
                data={Object.values(RequestProtocol).map((value) => ({ value, label: protocolNames[value] }))}
                value={draft.protocol ?? RequestProtocol.Http11}
                onChange={(value) =>
                  change({ protocol: Object.values(RequestProtocol).find((one) => one === value) })
                }
                allowDeselect={false}
              />
              <NumberInput
                label={t('Revision')}
                description={t('If empty, the current revision.')}
                placeholder={t('Live')}
                value={draft.revision ?? ''}
                onChange={(value) => change({ revision: typeof value === 'number' ? value : undefined })}
                error={error('/revision')}
                min={1}
                allowDecimal={false}
                allowNegative={false}
              />
              <ReferenceInput
                kind="proxy-servers"
                label={t('Proxy server')}
                description={t('If empty, the port of the URL decides.')}
                value={draft.proxyServerId ?? ''}
                onChange={(proxyServerId) => change({ proxyServerId })}
                error={error('/proxyServerId')}
                clearable
                hideLink
              />
              <Select
                label={t('Gateway')}
                description={t('The gateway that answers.')}
                placeholder={t('Any gateway')}
                data={gateways.map(({ id }) => id)}
                value={draft.gatewayId ?? null}
                onChange={(value) => change({ gatewayId: value ?? undefined })}
                error={error('/gatewayId')}
                clearable
              />
            </SimpleGrid>
            {mayDraft && (
              <Textarea
                ref={operationsInput}
                mt="sm"
                label={t('Draft of operations')}
                description={t(
                  "A JSON list in the form of a batch. The test applies it to the newest revision and changes nothing. The page's address does not contain it.",
                )}
                placeholder={
                  '[{ "action": "PATCH", "kind": "ROUTE", "id": "carts", "body": { "priority": 5 } }]'
                }
                value={operations}
                onChange={(event) => {
                  setOperations(event.currentTarget.value);
                  setUnreadable(undefined);
                }}
                error={unreadable ?? (refused.length > 0 && <Refused errors={refused} />)}
                autosize
                minRows={2}
                maxRows={16}
                spellCheck={false}
                autoComplete="off"
                styles={codeStyles}
              />
            )}
          </>
        )}
      </form>
      {/* The rest is in the address, and comes back with it. */}
      <LeaveGuard survivesSearch blocks={() => operations.trim() !== ''} />
    </Paper>
  );
}

/** Where in the operations something is wrong, and what. */
function Refused({ errors }: { errors: readonly FieldError[] }) {
  return errors.map((error) => (
    <span key={`${error.pointer} ${error.detail}`} style={{ display: 'block' }}>
      <FieldErrorText error={error} />
    </span>
  ));
}

/** Without what the text leaves open: that is as it was entered before. */
function said(request: RouteTestWish): RouteTestWish {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}

/** Without what says nothing, so that addresses stay short. */
function wishOf({ url = '', method, headers = '', protocol, ...rest }: RouteTestWish): RouteTestWish {
  return {
    ...rest,
    url: url.trim(),
    method: method === 'GET' || method === '' ? undefined : method,
    headers: headers.trim() === '' ? undefined : headers,
    protocol: protocol === RequestProtocol.Http11 ? undefined : protocol,
  };
}
