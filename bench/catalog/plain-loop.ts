/**
 * Program `node plain-loop.js`, with which Quarry's sync is compared: receives a list of addresses as a message, and
 * fetches and parses their JSON sequentially. It sends back the number of items, the elapsed time and the CPU time.
 */

process.once('message', (addresses: readonly string[]) => {
  void (async () => {
    const begun = performance.now();
    const cpu = process.cpuUsage();
    let items = 0;
    for (const address of addresses) {
      const page = (await (await fetch(address)).json()) as { items: readonly unknown[] }; // the shop's own form
      items += page.items.length;
    }
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({ items, seconds, cpuSeconds: (user + system) / 1e6 });
    process.disconnect();
  })();
});
