import '@mantine/spotlight/styles.css';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, createSpotlight } from '@mantine/spotlight';
import { IconFlask, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { SearchHit } from '#client';
import { kindIcons } from '@/components/kind-icons';
import { useSitePages } from '@/components/site-map';
import { requestIn } from '@/lib/request-in';
import { search } from '@/lib/api/search';
import { allKinds, capitalized, kindOf, kinds } from '@/lib/kinds';
import { useHasRole } from '@/lib/session';

const TYPING_PAUSE_MILLIS = 120;
/** Of each kind; a list shows the rest. */
const HITS_MAX = 6;

const LIST_ID = 'palette-actions';

const [store, spotlight] = createSpotlight();

interface PaletteProps {
  /** Another number each time that it is asked for. */
  readonly asked: number;
}

/** Finds resources, pages and actions, and says which route takes a URL or a curl command. */
export function Palette({ asked }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MILLIS);
  const navigate = useNavigate();
  const mayChange = useHasRole('EDITOR');
  const site = useSitePages();
  const request = requestIn(typed);
  const isCommand = /^curl\s/.test(words);
  const found = useQuery(search(isCommand ? '' : words.slice(0, 256), HITS_MAX));
  useEffect(() => spotlight.open(), [asked]);
  // Enter takes the best. Mantine selects the first action when something is typed, which is before the hits are there.
  useEffect(selectFirst, [found.data]);

  const wanted = typed.trim().toLowerCase();
  const pages = site.filter(({ title }) => title.toLowerCase().includes(wanted));
  const creations = allKinds.filter(
    (kind) => mayChange && wanted !== '' && `new ${kinds[kind].singular}`.includes(wanted),
  );
  const hits = wanted === '' ? [] : (found.data?.items ?? []);

  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      attributes={{ content: { 'aria-label': 'Search everything' } }}
      shortcut={null}
      scrollable
      maxHeight={460}
      size="lg"
    >
      <Spotlight.Search
        placeholder="Id, path, host, label, plugin, node; or a URL or curl command"
        aria-label="Search everything"
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList id={LIST_ID}>
        {request !== undefined && (
          <Spotlight.ActionsGroup label="Requests">
            <Spotlight.Action
              label={`Which route takes ${request.method ?? 'GET'} ${request.host ?? ''}${request.url ?? ''}?`}
              description="Ask a gateway in the route tester. Nothing is sent to a node."
              leftSection={<IconFlask size={18} />}
              onClick={() => void navigate({ to: '/route-test', search: request })}
            />
          </Spotlight.ActionsGroup>
        )}
        {groups(hits).map(([kind, ofKind]) => {
          const KindIcon = kindIcons[kind];
          return (
            <Spotlight.ActionsGroup key={kind} label={capitalized(kinds[kind].plural)}>
              {ofKind.map((hit) => (
                <Spotlight.Action
                  key={hit.id}
                  label={hit.id}
                  leftSection={<KindIcon size={18} />}
                  onClick={() => void navigate({ to: '/$kind/$id', params: { kind, id: hit.id } })}
                >
                  <Hit hit={hit} icon={<KindIcon size={18} aria-hidden />} />
                </Spotlight.Action>
              ))}
              {ofKind.length === HITS_MAX && (
                <Spotlight.Action
                  label={`All ${kinds[kind].plural} with ${words}`}
                  leftSection={<IconSearch size={18} />}
                  onClick={() => void navigate({ to: '/$kind', params: { kind }, search: { q: words } })}
                />
              )}
            </Spotlight.ActionsGroup>
          );
        })}
        {creations.length > 0 && (
          <Spotlight.ActionsGroup label="Actions">
            {creations.map((kind) => (
              <Spotlight.Action
                key={kind}
                label={`New ${kinds[kind].singular}`}
                leftSection={<IconPlus size={18} />}
                onClick={() => void navigate({ to: '/new/$kind', params: { kind } })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map(({ title, icon: PageIcon, to }) => (
              <Spotlight.Action
                key={to}
                label={title}
                leftSection={<PageIcon size={18} />}
                onClick={() => void navigate({ to })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {wanted !== '' &&
          hits.length === 0 &&
          pages.length === 0 &&
          creations.length === 0 &&
          request === undefined &&
          words === typed.trim() && (
            <Spotlight.Empty>
              {found.isFetching ? 'Searching …' : (found.error?.message ?? `Nothing has ${words}.`)}
            </Spotlight.Empty>
          )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function selectFirst(): void {
  const actions = document.querySelectorAll(`#${LIST_ID} [data-action]`);
  actions.forEach((action, index) => action.toggleAttribute('data-selected', index === 0));
  store.updateState((state) => ({ ...state, selected: actions.length === 0 ? -1 : 0 }));
}

function Hit({ hit, icon }: { hit: SearchHit; icon: ReactNode }) {
  const places = hit.found.filter(({ field }) => field !== 'ID' && field !== 'NAME');
  return (
    <div style={{ display: 'flex', gap: 'var(--mantine-spacing-md)', alignItems: 'center', width: '100%' }}>
      {icon}
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" truncate>
          {hit.id}
          {hit.name !== undefined && (
            <Text span c="dimmed">
              {' '}
              {hit.name}
            </Text>
          )}
        </Text>
        {places.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            {places.map(({ field, value }) => `${field.toLowerCase()} ${value}`).join(', ')}
          </Text>
        )}
      </div>
      {hit.enabled === false && (
        <Text size="xs" c="dimmed">
          disabled
        </Text>
      )}
    </div>
  );
}

/** In the order in which a request meets the kinds. */
function groups(hits: readonly SearchHit[]) {
  return allKinds
    .map((kind) => [kind, hits.filter((hit) => kindOf(hit.kind) === kind)] as const)
    .filter(([, ofKind]) => ofKind.length > 0);
}
