import { Anchor, Code, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import type { SchemaName } from '#contract';
import { isDraft, textOf, valueAt, type Draft, type Path } from '@/components/form/draft';
import classes from '@/components/form/form.module.css';
import { useFormState } from '@/components/form/form-context';
import { CorsTry } from '@/components/form/plugins/cors-try';
import { JwtTry } from '@/components/form/plugins/jwt-try';
import { rateLimitSentence } from '@/components/form/plugins/rate-limit-sentence';
import { quoted } from '@/lib/curl-for';
import { rich, t } from '@/locales';

// Each comes when a form has its plugin.
const IpAccessTry = lazy(async () => ({
  default: (await import('@/components/form/plugins/ip-access-try')).IpAccessTry,
}));
const RewriteTry = lazy(async () => ({
  default: (await import('@/components/form/plugins/rewrite-try')).RewriteTry,
}));

const leads: Readonly<Partial<Record<SchemaName, (draft: Draft) => ReactNode>>> = {
  BasicAuthPlugin: () => <BasicAuthLead />,
  CorsPlugin: (draft) => <CorsTry draft={draft} />,
  IpAccessPlugin: (draft) => <IpAccessTry draft={draft} />,
  JwtPlugin: (draft) => <JwtTry draft={draft} />,
  KeyAuthPlugin: (draft) => <KeyAuthLead draft={draft} />,
  RateLimitPlugin: (draft) => <RateLimitLead draft={draft} />,
  RewritePathPlugin: (draft) => <RewriteTry draft={draft} />,
};

/** What stands below the fields of the plugins that people use most: what the fields mean together. */
export function PluginLead({ schema, path }: { readonly schema: SchemaName; readonly path: Path }) {
  const { draft } = useFormState();
  const value = valueAt(draft, path);
  const lead = leads[schema];
  return lead === undefined ? null : (
    <div className={classes.lead}>
      <Suspense fallback={null}>{lead(isDraft(value) ? value : {})}</Suspense>
    </div>
  );
}

function BasicAuthLead() {
  return (
    <Text size="sm" role="note" aria-label={t('How clients send their password')}>
      {rich(
        'Clients send a user name and a password, such as {command}. Requests without a valid pair get 401. Passwords belong to consumers: {link}.',
        {
          command: <Code>curl -u USER:PASSWORD URL</Code>,
          link: (
            <Anchor href="/new/consumers" underline="always" target="_blank" rel="noopener">
              {t('New consumer (in a new tab)')}
            </Anchor>
          ),
        },
      )}
    </Text>
  );
}

function RateLimitLead({ draft }: { readonly draft: Draft }) {
  const sentence = rateLimitSentence(draft);
  return (
    sentence !== undefined && (
      <Text size="sm" role="note" aria-label={t('What the rate limit does')}>
        {sentence}
      </Text>
    )
  );
}

function KeyAuthLead({ draft }: { readonly draft: Draft }) {
  const header = textOf(draft.header) || 'X-Api-Key';
  const others = [
    draft.query === undefined ? undefined : t('the query parameter {name}', { name: textOf(draft.query) }),
    draft.cookie === undefined ? undefined : t('the cookie {name}', { name: textOf(draft.cookie) }),
  ].filter((one) => one !== undefined);
  return (
    <Text size="sm" role="note" aria-label={t('How clients send their key')}>
      {rich(
        'Clients send their key in {places}, such as {command}. Requests without a valid key get 401. Keys belong to consumers: {link}.',
        {
          places: others.reduce<string>(
            (places, place) => t('{places}, or in {place}', { places, place }),
            t('the header {name}', { name: header }),
          ),
          command: <Code style={{ overflowWrap: 'anywhere' }}>curl -H {quoted(`${header}: KEY`)} URL</Code>,
          link: (
            <Anchor href="/new/consumers" underline="always" target="_blank" rel="noopener">
              {t('New consumer (in a new tab)')}
            </Anchor>
          ),
        },
      )}
    </Text>
  );
}
