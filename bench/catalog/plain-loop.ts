/*
 * `node plain-loop.js`: gets addresses, fetches and parses each, one after the other, and sends how long that took.
 */

process.once('message', (addresses: readonly string[]) => {
  void (async () => {
    const begun = performance.now();
    let items = 0;
    for (const address of addresses) {
      const page = (await (await fetch(address)).json()) as { items: readonly unknown[] }; // the shop's own form
      items += page.items.length;
    }
    process.send?.({ items, seconds: (performance.now() - begun) / 1000 });
    process.disconnect();
  })();
});
