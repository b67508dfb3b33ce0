import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react'
import { showToast } from '../../../lib/toasts.ts'

interface ClosableProps {
  readonly onClose: () => void
}

/**
 * A dialog whose code is a separate chunk. The button that opens the dialog calls `usePrepared`,
 * which loads the code, so that a press waits for nothing as a rule.
 */
export function lazyDialog<Props extends ClosableProps>(
  load: () => Promise<ComponentType<Props>>,
): { readonly Dialog: ComponentType<Props>; readonly usePrepared: () => void } {
  let loaded: ComponentType<Props> | undefined
  const loadDialog = async () => (loaded = await load())
  const Lazy = lazy(async () => ({
    default: await loadDialog().catch((): ComponentType<Props> => NotLoaded),
  }))
  return {
    Dialog: function LazyDialog(props) {
      // A component that changes between two renders would lose its state.
      const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
      return (
        <Suspense>
          <Shown {...props} />
        </Suspense>
      )
    },
    // The dialog loads it again when it opens, and reports a failure.
    usePrepared: () => useEffect(() => void loadDialog().catch(() => undefined), []),
  }
}

/** Browsers keep the failure of a module until the page is reloaded. */
function NotLoaded({ onClose }: ClosableProps) {
  useEffect(() => {
    showToast('error', 'The dialog could not be loaded. Reload the page and try again.')
    onClose()
  })
  return null
}
