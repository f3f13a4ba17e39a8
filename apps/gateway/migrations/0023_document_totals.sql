-- The tables are locked in the order in which gateways write to them: documents, datasources, token_reservations. Each lock blocks
-- writes, not reads, until the migration is committed: docs/decisions/0076-run-ends.md.
LOCK TABLE "quarry"."documents" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "quarry"."document_totals" (
	"datasource_id" uuid PRIMARY KEY NOT NULL,
	"documents" bigint DEFAULT 0 NOT NULL,
	"stored_documents" bigint DEFAULT 0 NOT NULL,
	"fragments" bigint DEFAULT 0 NOT NULL,
	"stored_tokens" bigint DEFAULT 0 NOT NULL,
	"reserved_tokens" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- Rows are updated often. Free space in each page keeps the new versions in it, so that the index is not written.
ALTER TABLE "quarry"."document_totals" SET (fillfactor = 50);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "documents_skipped_with_fragments" ON "quarry"."documents" USING btree ("datasource_id","run_id") WHERE "quarry"."documents"."outcome" = 'skipped' and "quarry"."documents"."fragments" > 0;--> statement-breakpoint
-- Once a statement, not once a row. Gateways of the previous version count in the same way.
CREATE FUNCTION "quarry"."count_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "quarry"."document_totals" AS total (datasource_id, documents, stored_documents, fragments, stored_tokens)
		SELECT datasource_id, count(*), count(*) FILTER (WHERE fragments > 0 OR outcome IN ('indexed', 'unchanged')),
			sum(fragments), sum(stored_tokens)
		FROM added GROUP BY datasource_id
		ON CONFLICT (datasource_id) DO UPDATE SET
			documents = total.documents + excluded.documents,
			stored_documents = total.stored_documents + excluded.stored_documents,
			fragments = total.fragments + excluded.fragments,
			stored_tokens = total.stored_tokens + excluded.stored_tokens;
	ELSIF TG_OP = 'UPDATE' THEN
		UPDATE "quarry"."document_totals" AS total SET
			stored_documents = total.stored_documents + change.stored_documents,
			fragments = total.fragments + change.fragments,
			stored_tokens = total.stored_tokens + change.stored_tokens
		FROM (
			SELECT datasource_id, sum(stored) AS stored_documents, sum(fragments) AS fragments, sum(stored_tokens) AS stored_tokens
			FROM (
				SELECT datasource_id, (fragments > 0 OR outcome IN ('indexed', 'unchanged'))::int AS stored, fragments, stored_tokens FROM added
				UNION ALL
				SELECT datasource_id, -(fragments > 0 OR outcome IN ('indexed', 'unchanged'))::int, -fragments, -stored_tokens FROM gone
			) AS both_sides
			GROUP BY datasource_id
		) AS change
		WHERE total.datasource_id = change.datasource_id
			AND (change.stored_documents <> 0 OR change.fragments <> 0 OR change.stored_tokens <> 0);
	ELSE
		UPDATE "quarry"."document_totals" AS total SET
			documents = total.documents - change.documents,
			stored_documents = total.stored_documents - change.stored_documents,
			fragments = total.fragments - change.fragments,
			stored_tokens = total.stored_tokens - change.stored_tokens
		FROM (
			SELECT datasource_id, count(*) AS documents, count(*) FILTER (WHERE fragments > 0 OR outcome IN ('indexed', 'unchanged')) AS stored_documents,
				sum(fragments) AS fragments, sum(stored_tokens) AS stored_tokens
			FROM gone GROUP BY datasource_id
		) AS change
		WHERE total.datasource_id = change.datasource_id;
	END IF;
	RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "count_added_documents" AFTER INSERT ON "quarry"."documents" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_documents"();--> statement-breakpoint
CREATE TRIGGER "count_changed_documents" AFTER UPDATE ON "quarry"."documents" REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_documents"();--> statement-breakpoint
CREATE TRIGGER "count_removed_documents" AFTER DELETE ON "quarry"."documents" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_documents"();--> statement-breakpoint
INSERT INTO "quarry"."document_totals" (datasource_id, documents, stored_documents, fragments, stored_tokens)
SELECT datasource_id, count(*), count(*) FILTER (WHERE fragments > 0 OR outcome IN ('indexed', 'unchanged')), sum(fragments), sum(stored_tokens)
FROM "quarry"."documents" GROUP BY datasource_id;--> statement-breakpoint
ALTER TABLE "quarry"."document_totals" ADD CONSTRAINT "document_totals_datasource_id_datasources_id_fk" FOREIGN KEY ("datasource_id") REFERENCES "quarry"."datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The triggers of the organization's total come first, because their names do. So every transaction locks that total first.
CREATE FUNCTION "quarry"."count_tokens_of_datasource"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "quarry"."document_totals" AS total (datasource_id, reserved_tokens)
		SELECT change.datasource_id, change.tokens
		FROM (SELECT datasource_id, sum(tokens) AS tokens FROM added GROUP BY datasource_id) AS change
		JOIN "quarry"."datasources" AS datasource ON datasource.id = change.datasource_id
		WHERE datasource.type NOT IN ('file', 'document') AND change.tokens <> 0
		ON CONFLICT (datasource_id) DO UPDATE SET reserved_tokens = total.reserved_tokens + excluded.reserved_tokens;
	ELSIF TG_OP = 'UPDATE' THEN
		UPDATE "quarry"."document_totals" AS total SET reserved_tokens = total.reserved_tokens + change.tokens
		FROM (
			SELECT datasource_id, sum(tokens) AS tokens
			FROM (SELECT datasource_id, tokens FROM added UNION ALL SELECT datasource_id, -tokens FROM gone) AS both_sides
			GROUP BY datasource_id
		) AS change
		WHERE total.datasource_id = change.datasource_id AND change.tokens <> 0;
	ELSE
		UPDATE "quarry"."document_totals" AS total SET reserved_tokens = total.reserved_tokens - change.tokens
		FROM (SELECT datasource_id, sum(tokens) AS tokens FROM gone GROUP BY datasource_id) AS change
		WHERE total.datasource_id = change.datasource_id AND change.tokens <> 0;
	END IF;
	RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "count_added_tokens_of_datasource" AFTER INSERT ON "quarry"."token_reservations" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_tokens_of_datasource"();--> statement-breakpoint
CREATE TRIGGER "count_changed_tokens_of_datasource" AFTER UPDATE ON "quarry"."token_reservations" REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_tokens_of_datasource"();--> statement-breakpoint
CREATE TRIGGER "count_removed_tokens_of_datasource" AFTER DELETE ON "quarry"."token_reservations" REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION "quarry"."count_tokens_of_datasource"();--> statement-breakpoint
INSERT INTO "quarry"."document_totals" AS total (datasource_id, reserved_tokens)
SELECT reservation.datasource_id, sum(reservation.tokens)
FROM "quarry"."token_reservations" AS reservation
JOIN "quarry"."datasources" AS datasource ON datasource.id = reservation.datasource_id
WHERE datasource.type NOT IN ('file', 'document')
GROUP BY reservation.datasource_id
ON CONFLICT (datasource_id) DO UPDATE SET reserved_tokens = excluded.reserved_tokens;
