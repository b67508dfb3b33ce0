import { Skeleton } from '../../ui/skeleton.tsx'

/** Placeholder with the layout of the cards while the summary loads. */
export function SummarySkeleton() {
  return (
    <>
      <p className="sr-only" role="status">
        Loading the dashboard...
      </p>
      <div className="panel readouts" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((cell) => (
          <div key={cell}>
            <Skeleton width="96px" height="18px" />
            <Skeleton width="72px" height="34px" />
          </div>
        ))}
      </div>
      <div className="admin-cards" aria-hidden="true">
        <div className="panel user-types">
          {[0, 1, 2, 3].map((cell) => (
            <div key={cell}>
              <Skeleton height="92px" />
            </div>
          ))}
        </div>
        <div className="panel refunds">
          <div>
            <Skeleton height="92px" />
          </div>
          <div>
            <Skeleton height="92px" />
          </div>
        </div>
      </div>
    </>
  )
}
