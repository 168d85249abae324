import '@mantine/spotlight/styles.css';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, createSpotlight } from '@mantine/spotlight';
import { IconFlask, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import type { SearchField, SearchHit } from '#client';
import { kindIcons } from '@/components/kind-icons';
import { nearestText } from '@/components/nearest-text';
import { useSitePages } from '@/components/site-map';
import { addressOf, isCurl, requestOrPathIn } from '@/lib/request-in';
import { search } from '@/lib/api/search';
import { allKinds, capitalized, kindOf, kinds } from '@/lib/kinds';
import { useMayWrite } from '@/lib/session';
import { soughtBy } from '@/lib/sought-by';
import { t } from '@/locales';

const TYPING_PAUSE_MILLIS = 80;
/** Of each kind; a list shows the rest. */
const HITS_MAX = 6;

const fieldNames: Readonly<Record<SearchField, string>> = {
  ID: t('id'),
  NAME: t('name'),
  DESCRIPTION: t('description'),
  LABEL: t('label'),
  PATH: t('path'),
  HOST: t('host'),
  PORT: t('port'),
  METHOD: t('method'),
  USES: t('uses'),
  PLUGIN: t('plugin'),
  NODE: t('node'),
  GROUP: t('group'),
  USER: t('user'),
  STATE: t('state'),
  HEADER: t('header'),
  PARAMETER: t('query parameter'),
  COOKIE: t('cookie'),
};

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
  const mayWrite = useMayWrite();
  const site = useSitePages();
  const request = requestOrPathIn(typed);
  // A command may have secrets, and is read here alone.
  const found = useQuery(search(isCurl(words) ? '' : soughtBy(words), HITS_MAX));
  useEffect(() => spotlight.open(), [asked]);
  // Enter takes the best. Mantine selects the first action when something is typed, which is before the hits are there.
  useEffect(selectFirst, [found.data]);

  const wanted = typed.trim().toLowerCase();
  const pages = site.filter(({ title }) => title.toLowerCase().includes(wanted));
  const creations = allKinds.filter(
    (kind) =>
      mayWrite(kinds[kind].contractKind) &&
      wanted !== '' &&
      t('new {kind}', { kind: kinds[kind].singular }).toLowerCase().includes(wanted),
  );
  const hits = wanted === '' ? [] : (found.data?.items ?? []);
  const nearest = wanted === '' ? [] : (found.data?.nearest ?? []);

  // The routes that take a path answer more than the question does.
  const isPath = request?.host === undefined && request?.url?.startsWith('/') === true;
  const ask = request !== undefined && (
    <Spotlight.ActionsGroup label={t('Requests')}>
      <Spotlight.Action
        label={t('Which route takes {method} {url}?', {
          method: request.method ?? 'GET',
          url: addressOf(request),
        })}
        description={
          isPath
            ? t('The route tester shows the routes of this path, and their hosts.')
            : t('Ask a gateway in the route tester. Nothing is sent to a node.')
        }
        leftSection={<IconFlask size={18} />}
        onClick={() => void navigate({ to: '/route-test', search: request })}
      />
    </Spotlight.ActionsGroup>
  );

  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      attributes={{ content: { 'aria-label': t('Search everything') } }}
      shortcut={null}
      scrollable
      maxHeight={460}
      size="lg"
    >
      <Spotlight.Search
        placeholder={t('Id, path, host, label, plugin, node; or a URL, curl command or line of a log')}
        aria-label={t('Search everything')}
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList id={LIST_ID}>
        {!isPath && ask}
        {nearest.length > 0 && (
          <Spotlight.ActionsGroup label={t('Nearest matches')}>
            {nearest.map((hit) => (
              <HitAction key={`${hit.kind} ${hit.id}`} hit={hit} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {groups(hits).map(([kind, ofKind]) => (
          <Spotlight.ActionsGroup key={kind} label={capitalized(kinds[kind].plural)}>
            {ofKind.map((hit) => (
              <HitAction key={hit.id} hit={hit} />
            ))}
            {ofKind.length === HITS_MAX && (
              <Spotlight.Action
                label={t('All {kinds} with {words}', { kinds: kinds[kind].plural, words })}
                leftSection={<IconSearch size={18} />}
                onClick={() => void navigate({ to: '/$kind', params: { kind }, search: { q: words } })}
              />
            )}
          </Spotlight.ActionsGroup>
        ))}
        {isPath && ask}
        {creations.length > 0 && (
          <Spotlight.ActionsGroup label={t('Actions')}>
            {creations.map((kind) => (
              <Spotlight.Action
                key={kind}
                label={t('New {kind}', { kind: kinds[kind].singular })}
                leftSection={<IconPlus size={18} />}
                onClick={() => void navigate({ to: '/new/$kind', params: { kind } })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={t('Pages')}>
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
          nearest.length === 0 &&
          pages.length === 0 &&
          creations.length === 0 &&
          request === undefined &&
          words === typed.trim() && (
            <Spotlight.Empty>
              {found.isFetching
                ? t('Searching …')
                : (found.error?.message ?? t('Nothing has {words}.', { words }))}
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

function HitAction({ hit }: { hit: SearchHit }) {
  const navigate = useNavigate();
  const kind = kindOf(hit.kind);
  const KindIcon = kindIcons[kind];
  return (
    <Spotlight.Action
      label={hit.id}
      leftSection={<KindIcon size={18} />}
      onClick={() => void navigate({ to: '/$kind/$id', params: { kind, id: hit.id } })}
    >
      <Hit hit={hit} icon={<KindIcon size={18} aria-hidden />} />
    </Spotlight.Action>
  );
}

function Hit({ hit, icon }: { hit: SearchHit; icon: ReactNode }) {
  const places = hit.found.filter(({ field }) => field !== 'ID' && field !== 'NAME');
  const near = nearestText(hit);
  const where = near ?? places.map(({ field, value }) => `${fieldNames[field]} ${value}`).join(', ');
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
        {where !== '' && (
          <Text size="xs" c="dimmed" truncate title={where}>
            {where}
          </Text>
        )}
      </div>
      {hit.enabled === false && (
        <Text size="xs" c="dimmed">
          {t('disabled')}
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
