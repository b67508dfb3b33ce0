/** 16 px line icons. The surrounding button or link has the accessible name. */
function Icon({ d, strokeWidth = 1.5 }: { d: string; strokeWidth?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}

export const ArrowRightIcon = () => <Icon d="M2.5 8h10.6M9 3.8 13.2 8 9 12.2" strokeWidth={1.7} />
export const CloseIcon = () => <Icon d="m3.5 3.5 9 9M12.5 3.5l-9 9" />
export const PauseIcon = () => <Icon d="M5.4 3.5v9M10.6 3.5v9" strokeWidth={2} />
export const PlayIcon = () => <Icon d="m5 3.4 7.2 4.6L5 12.6Z" strokeWidth={1.7} />
