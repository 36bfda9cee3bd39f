/** The phone's own share sheet where there is one, else the address goes to the clipboard. */
export function offerSharing(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-share]');
  const canShare = 'share' in navigator;
  if (!button || !(canShare || navigator.clipboard)) return;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    // Not of this visit: its click ids are nobody else's.
    const url = document.querySelector<HTMLLinkElement>('link[rel=canonical]')!.href;
    try {
      if (canShare) return await navigator.share({ title: document.title, url });
      await navigator.clipboard.writeText(url);
      button.textContent = 'Address copied';
      setTimeout(() => {
        button.textContent = label;
      }, 3000);
    } catch {
      // Whoever closes the sheet shares nothing.
    }
  });
}
