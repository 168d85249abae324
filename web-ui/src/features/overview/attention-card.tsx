import { Anchor, Group, List, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconHistory,
  IconQuestionMark,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAttention, usePastFailures, type Concern } from '@/components/attention/attention';
import { many, t } from '@/locales';

/** Whether anything is wrong, and where to act. It is green only when everything was asked and answered. */
export function AttentionCard() {
  const { concerns, unknown, gateways } = useAttention();
  const past = usePastFailures();
  const current = gateways.filter(({ state }) => state === 'CURRENT').length;
  return (
    <Paper withBorder component="section" aria-labelledby="attention" p="md">
      <Title order={2} size="h5" id="attention" mb="xs">
        {t('Needs attention')}
      </Title>
      <List spacing="xs" size="sm" center listStyleType="none" aria-live="polite">
        {concerns.map(({ grave, text, page }) => (
          <List.Item
            key={text}
            icon={
              <ThemeIcon size={22} radius="xl" variant="light" color={grave ? 'red' : 'yellow'}>
                {grave ? (
                  <IconAlertTriangle size={14} aria-label={t('Error')} />
                ) : (
                  <IconAlertCircle size={14} aria-label={t('Warning')} />
                )}
              </ThemeIcon>
            }
          >
            <ConcernLink page={page}>{text}</ConcernLink>
          </List.Item>
        ))}
        {unknown.map(({ what, error }) => (
          <List.Item
            key={what}
            icon={
              <ThemeIcon size={22} radius="xl" variant="light" color="gray">
                <IconQuestionMark size={14} aria-hidden />
              </ThemeIcon>
            }
          >
            <Text span size="sm" c="dimmed">
              {error === null
                ? t('Asking for {what} …', { what })
                : t('Unknown: {what}. {message}', { what, message: error.message })}
            </Text>
          </List.Item>
        ))}
        {concerns.length === 0 && unknown.length === 0 && (
          <List.Item
            icon={
              <ThemeIcon size={22} radius="xl" variant="light" color={current > 0 ? 'green' : 'gray'}>
                <IconCircleCheck size={14} aria-hidden />
              </ThemeIcon>
            }
          >
            <Group gap={6}>
              {current > 0
                ? many(
                    current,
                    'No problem. One gateway serves the newest revision, and no route fails.',
                    'No problem. All {count} gateways serve the newest revision, and no route fails.',
                  )
                : t('No problem. No gateway has connected yet.')}
            </Group>
          </List.Item>
        )}
      </List>
      {past.length > 0 && (
        <>
          <Title order={3} size="h6" id="attention-past" mt="md" mb="xs">
            {t('No longer failing')}
          </Title>
          <List spacing="xs" size="sm" center listStyleType="none" aria-labelledby="attention-past">
            {past.map(({ text, page }) => (
              <List.Item
                key={text}
                icon={
                  <ThemeIcon size={22} radius="xl" variant="light" color="gray">
                    <IconHistory size={14} aria-hidden />
                  </ThemeIcon>
                }
              >
                <ConcernLink page={page}>{text}</ConcernLink>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Paper>
  );
}

function ConcernLink({ page, children }: { readonly page: Concern['page']; readonly children: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} {...page} />}>
      {children}
    </Anchor>
  );
}
