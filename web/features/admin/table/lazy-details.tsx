import { lazy, Suspense, type ComponentType } from 'react'
import { browser } from '../../../lib/browser.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import '../fetch-failure.css'

/**
 * Details of a row whose code is a separate chunk. The row shows a failed load: the error boundary
 * would replace the whole page. Browsers keep the failure of a module until the page is reloaded.
 */
export function lazyDetails<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Details = lazy(async () => ({
    default: await load().catch((): ComponentType<Props> => DetailsFailure),
  }))

  return function LazyDetails(props) {
    return (
      <Suspense fallback={<LoadingDetails />}>
        <Details {...props} />
      </Suspense>
    )
  }
}

function LoadingDetails() {
  return (
    <section>
      <p className="sr-only" role="status">
        Loading the details...
      </p>
      <Skeleton height="64px" />
    </section>
  )
}

function DetailsFailure() {
  return (
    <section className="fetch-failure" role="alert">
      <div>
        <p>The details could not be loaded</p>
        <p className="muted">
          The connection was interrupted, or a new version has been released. Reload the page to try
          again.
        </p>
      </div>
      <Button look="line" onClick={() => browser.reload()}>
        Reload
      </Button>
    </section>
  )
}
