const frame = {
  viewBox: '0 0 16 16',
  width: 16,
  height: 16,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  'aria-hidden': true,
} as const

export const RefreshIcon = () => (
  <svg {...frame}>
    <path d="M13.4 6.2A5.7 5.7 0 0 0 2.6 6M2.6 9.8A5.7 5.7 0 0 0 13.4 10M13.6 2.6v3.7H9.9M2.4 13.4V9.7h3.7" />
  </svg>
)

export const SearchIcon = () => (
  <svg {...frame}>
    <circle cx="7" cy="7" r="4.6" />
    <path d="m10.5 10.5 3.6 3.6" />
  </svg>
)

export const UploadIcon = () => (
  <svg {...frame}>
    <path d="M8 10.8V2.3M4.5 5.6 8 2.1l3.5 3.5M2.5 14h11" />
  </svg>
)

export const DownloadIcon = () => (
  <svg {...frame}>
    <path d="M8 2v8.5M4.5 7.2 8 10.7l3.5-3.5M2.5 14h11" />
  </svg>
)

export const CopyIcon = () => (
  <svg {...frame} width={14} height={14}>
    <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />
  </svg>
)

export const CheckIcon = () => (
  <svg {...frame} width={14} height={14}>
    <path d="m3 8.5 3.4 3.4L13 5" />
  </svg>
)

export const ChevronRightIcon = () => (
  <svg {...frame} strokeWidth={1.6}>
    <path d="m6 4 4 4-4 4" />
  </svg>
)

export const ChevronLeftIcon = () => (
  <svg {...frame} strokeWidth={1.6}>
    <path d="m10 4-4 4 4 4" />
  </svg>
)

export const ChevronDownIcon = () => (
  <svg {...frame} width={12} height={12}>
    <path d="m3 6 5 5 5-5" />
  </svg>
)

/** Both arrows for an unsorted column, one arrow for the current direction. */
export function SortIcon({ order }: { order: 'ascend' | 'descend' | null | undefined }) {
  return (
    <svg
      className="sort-icon"
      viewBox="0 0 8 10"
      width="8"
      height="10"
      fill="currentColor"
      aria-hidden="true"
    >
      {order !== 'descend' && <path d="M4 0 7 4H1z" opacity={order ? 1 : 0.55} />}
      {order !== 'ascend' && <path d="M4 10 1 6h6z" opacity={order ? 1 : 0.85} />}
    </svg>
  )
}
