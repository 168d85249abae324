import { Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { tagsOf, type Draft } from '@/components/form/draft';
import { corsAnswer } from '@/components/form/plugins/cors-answer';
import { rich, t } from '@/locales';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/** Says whether a browser lets a page of an origin read a response, by what the form has now. */
export function CorsTry({ draft }: { readonly draft: Draft }) {
  const [origin, setOrigin] = useState('');
  const [method, setMethod] = useState('GET');
  const [header, setHeader] = useState('');
  const [credentials, setCredentials] = useState(false);
  const answer = corsAnswer(
    {
      allowOrigins: tagsOf(draft.allowOrigins),
      allowMethods: tagsOf(draft.allowMethods),
      allowHeaders: tagsOf(draft.allowHeaders),
      allowCredentials: draft.allowCredentials === true,
    },
    { origin, method, header, credentials },
  );
  return (
    <div role="group" aria-label={t('Try an origin')}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t('Try an origin')}
          placeholder="https://shop.example.com"
          value={origin}
          autoComplete="off"
          spellCheck={false}
          style={{ flex: '1 1 14rem' }}
          onChange={(event) => setOrigin(event.currentTarget.value)}
        />
        <Select
          label={t('with the method')}
          data={METHODS}
          value={method}
          allowDeselect={false}
          w="8rem"
          onChange={(next) => setMethod(next ?? 'GET')}
        />
        <TextInput
          label={t('and the header')}
          placeholder={t('none')}
          value={header}
          autoComplete="off"
          spellCheck={false}
          w="9rem"
          onChange={(event) => setHeader(event.currentTarget.value)}
        />
        <Checkbox
          label={t('with cookies')}
          checked={credentials}
          mb={8}
          onChange={(event) => setCredentials(event.currentTarget.checked)}
        />
      </Group>
      <div role="status" aria-label={t('What a browser does')}>
        {origin.trim() !== '' && (
          <Text size="sm" mt="xs">
            {answer === undefined
              ? t('This is not an origin. Example: {example}', { example: 'https://shop.example.com' })
              : answer.refusals.length === 0
                ? rich(
                    answer.preflight
                      ? '{verdict} A page of {origin} may send {method} and read the response. The browser asks first (preflight).'
                      : '{verdict} A page of {origin} may send {method} and read the response, without a preflight.',
                    { verdict: <b>{t('Allowed.')}</b>, origin: answer.origin, method },
                  )
                : rich('{verdict} by the browser: {reasons}', {
                    verdict: <b>{t('Refused')}</b>,
                    reasons: answer.refusals.join(' '),
                  })}
          </Text>
        )}
      </div>
    </div>
  );
}
