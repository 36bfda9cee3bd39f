export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="logo">
      <path d="M9 4v22M23 4v22" stroke="#9fd8e8" strokeWidth="2.8" strokeLinecap="round" />
      <rect x="9" y="4.5" width="14" height="9.5" rx="1.6" fill="#9fd8e8" />
      <path
        d="M3 20.500c2.600 0 2.600 2 5.200 2s2.600-2 5.200-2 2.600 2 5.200 2 2.600-2 5.200-2 2.600 2 5.200 2M6.500 27c2 0 2 1.600 4 1.600s2-1.600 4-1.600 2 1.600 4 1.600 2-1.600 4-1.600"
        fill="none"
        stroke="#35d0bd"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
