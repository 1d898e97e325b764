-- The store's time in us since 1970. KEYS: any, which names the node.
return now()
