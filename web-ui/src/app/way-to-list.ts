import { useNavigate, useRouter } from '@tanstack/react-router';
import type { Kind } from '@/lib/kinds';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list of this kind is the page before. */
    fromList?: Kind;
  }
}

/** Returns how to go to the list: back, when it is the page before, so that its filter and its place stay. */
export function useWayToList(kind: Kind): () => void {
  const router = useRouter();
  const navigate = useNavigate();
  return () => {
    if (router.state.location.state.fromList === kind) {
      router.history.back();
    } else {
      void navigate({ to: '/$kind', params: { kind } });
    }
  };
}
