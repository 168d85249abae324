import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Revision } from '#client';
import { TimeAgo } from '@/components/time-ago';
import { whoOf } from '@/lib/who';
import { t } from '@/locales';

/** A revision in one line: its number as a link, its message, who wrote it and when. */
export function RevisionLine({ revision }: { readonly revision: Revision }) {
  const { number, message, author, committedAt } = revision;
  return (
    <>
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link {...props} to="/revisions/$number" params={{ number: String(number) }} />
        )}
      >
        {t('Revision {number}', { number })}
      </Anchor>
      <Text size="sm">{message ?? t('no message')}</Text>
      <Text size="sm" c="dimmed">
        {whoOf(author)}, <TimeAgo at={committedAt} />
      </Text>
    </>
  );
}
