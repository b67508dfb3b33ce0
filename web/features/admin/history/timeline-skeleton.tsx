import { Skeleton } from '../../../ui/skeleton.tsx'

/** Placeholder with the layout of the rows until the first page has loaded. */
export function TimelineSkeleton() {
  return (
    <div className="timeline-skeleton">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row}>
          <Skeleton width={row % 3 === 0 ? '84px' : '0'} height="14px" />
          <div>
            <Skeleton width={`${130 + ((row * 37) % 60)}px`} height="14px" />
            <Skeleton width="60%" height="12px" />
          </div>
          <Skeleton width="72px" height="12px" />
        </div>
      ))}
    </div>
  )
}
