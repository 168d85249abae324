import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { tagsOf, type Draft } from '@/components/form/draft';
import { labelOf } from '@/components/form/label-of';
import { ipAccessAnswer, type IpAccessAnswer } from '@/components/form/plugins/ip-access-answer';
import { Mono } from '@/components/mono';
import { rich, t } from '@/locales';

/** Says whether a client of an address is let in, and by which entry, by what the form has now. */
export function IpAccessTry({ draft }: { readonly draft: Draft }) {
  const [address, setAddress] = useState('');
  const answer = ipAccessAnswer({ allow: tagsOf(draft.allow), deny: tagsOf(draft.deny) }, address);
  return (
    <div role="group" aria-label={t('Try an address')}>
      <TextInput
        label={t('Try an address')}
        description={t('Behind a trusted proxy, the client’s address is the one that the proxy names.')}
        placeholder="203.0.113.9"
        value={address}
        autoComplete="off"
        spellCheck={false}
        maw="24rem"
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <div role="status" aria-label={t('Answer for the address')}>
        {address.trim() !== '' && (
          <Text size="sm" mt="xs">
            {answer === undefined
              ? t('This is not an IP address. Example: {example}', { example: '203.0.113.9' })
              : sentenceOf(answer)}
          </Text>
        )}
      </div>
    </div>
  );
}

function sentenceOf({ allowed, list, entry }: IpAccessAnswer) {
  const label = labelOf(list);
  const verdict = <b>{allowed ? t('Allowed.') : t('Refused with 403.')}</b>;
  if (entry !== undefined) {
    return rich('{verdict} {entry} of the list {label} contains it.', {
      verdict,
      entry: <Mono>{entry}</Mono>,
      label,
    });
  }
  return allowed
    ? rich('{verdict} No entry of the list {label} contains it, and the list {other} is empty.', {
        verdict,
        label,
        other: labelOf('allow'),
      })
    : rich('{verdict} No entry of the list {label} contains it.', { verdict, label });
}
