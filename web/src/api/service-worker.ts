/** The build of this page: its files are kept as long as some page holds the lock of that name. */
const build = document.querySelector<HTMLMetaElement>('meta[name=parley-build]')?.content
if (build)
  void navigator.locks?.request(`parley-build ${build}`, { mode: 'shared' }, () => new Promise(() => {}))

/** The browser starts the chat from what the service worker keeps, also without a network. Without one it goes as before. */
export function registerServiceWorker(): void {
  navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
}
