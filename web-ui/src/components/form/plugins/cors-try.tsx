import { Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { tagsOf, type Draft } from '@/components/form/draft';
import { corsAnswer } from '@/components/form/plugins/cors-answer';

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
    <div role="group" aria-label="Try an origin">
      <Group gap="sm" align="flex-end">
        <TextInput
          label="Try an origin"
          placeholder="https://shop.example.com"
          value={origin}
          autoComplete="off"
          spellCheck={false}
          style={{ flex: '1 1 14rem' }}
          onChange={(event) => setOrigin(event.currentTarget.value)}
        />
        <Select
          label="with the method"
          data={METHODS}
          value={method}
          allowDeselect={false}
          w="8rem"
          onChange={(next) => setMethod(next ?? 'GET')}
        />
        <TextInput
          label="and the header"
          placeholder="none"
          value={header}
          autoComplete="off"
          spellCheck={false}
          w="9rem"
          onChange={(event) => setHeader(event.currentTarget.value)}
        />
        <Checkbox
          label="with cookies"
          checked={credentials}
          mb={8}
          onChange={(event) => setCredentials(event.currentTarget.checked)}
        />
      </Group>
      <div role="status" aria-label="What a browser does">
        {origin.trim() !== '' && (
          <Text size="sm" mt="xs">
            {answer === undefined ? (
              'This is not an origin. Example: https://shop.example.com'
            ) : answer.refusals.length === 0 ? (
              <>
                <b>Allowed.</b> A page of {answer.origin} may send {method} and read the response
                {answer.preflight ? '. The browser asks first (preflight).' : ', without a preflight.'}
              </>
            ) : (
              <>
                <b>Refused</b> by the browser: {answer.refusals.join(' ')}
              </>
            )}
          </Text>
        )}
      </div>
    </div>
  );
}
