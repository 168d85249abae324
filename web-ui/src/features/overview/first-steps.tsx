import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconCircleCheckFilled, IconRocket } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from '@/features/overview/first-steps.module.css';
import { capitalized, kinds, withArticle, type Kind } from '@/lib/kinds';
import { EXPOSED, useMayWrite } from '@/lib/session';
import { t } from '@/locales';

/** In the order in which each can refer to what the steps before it made. */
const steps: readonly { readonly kind: Kind; readonly why: () => string }[] = [
  { kind: 'upstreams', why: () => t('the nodes that answer your requests') },
  { kind: 'proxy-passes', why: () => t('to send requests to that upstream') },
  { kind: 'proxy-servers', why: () => t('the port that gateways listen on') },
  { kind: 'routers', why: () => t('the hosts that you serve on it') },
  { kind: 'routes', why: () => t('the paths that lead to the proxy pass') },
];

/** Leads a newcomer to the first request that is answered. */
export function FirstSteps({ counts }: { counts: ReadonlyMap<Kind, number> }) {
  const isDone = (kind: Kind) => (counts.get(kind) ?? 0) > 0;
  const mayWrite = useMayWrite();
  const next = steps.find(({ kind }) => !isDone(kind));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
      <Title order={2} size="h5" id="first-steps">
        {t('First steps')}
      </Title>
      <Group justify="space-between" gap="sm" mt={4} mb="sm">
        <Text size="sm" c="dimmed">
          {t('One form creates everything that a service needs. It reaches the gateways at once.')}
        </Text>
        {mayWrite(...EXPOSED) && (
          <Button
            leftSection={<IconRocket size={18} />}
            renderRoot={(props) => <Link {...props} to="/expose" />}
          >
            {t('Expose a service')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('Or create the five resources one by one:')}
      </Text>
      <ol className={classes.steps}>
        {steps.map(({ kind, why }, index) => (
          <li key={kind} className={classes.step}>
            {isDone(kind) ? (
              <IconCircleCheckFilled size={26} className={classes.done} role="img" aria-label={t('Done')} />
            ) : (
              <span className={classes.number} aria-hidden>
                {index + 1}
              </span>
            )}
            <div className={classes.words}>
              <Text size="sm" fw={550}>
                {capitalized(withArticle(kinds[kind].singular))}
              </Text>
              <Text size="sm" c="dimmed">
                {why()}
              </Text>
            </div>
            {mayWrite(kinds[kind].contractKind) && (
              <Button
                size="compact-sm"
                variant={kind === next?.kind ? 'light' : 'default'}
                aria-label={t('Create {what}', { what: withArticle(kinds[kind].singular) })}
                renderRoot={(props) => (
                  <Link {...props} to="/new/$kind" params={{ kind }} search={{ steps: true }} />
                )}
              >
                {isDone(kind) ? t('Another') : t('Create')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Paper>
  );
}
