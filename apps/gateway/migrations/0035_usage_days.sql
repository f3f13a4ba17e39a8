-- Blocks writes, not reads, until the migration is committed. Must be the first lock: a gateway that writes reservations locks
-- organizations afterwards. The totals of tokens are not locked, because gateways lock them before and after reservations.
LOCK TABLE "quarry"."token_reservations" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
CREATE TABLE "quarry"."stored_document_totals" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"documents" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."usage_days" (
	"organization_id" uuid NOT NULL,
	"day" date NOT NULL,
	"stored_tokens" bigint NOT NULL,
	"stored_documents" bigint NOT NULL,
	CONSTRAINT "usage_days_organization_id_day_pk" PRIMARY KEY("organization_id","day")
);
--> statement-breakpoint
ALTER TABLE "quarry"."usage_stripes" ADD COLUMN "agent_queries_by_day" integer[] DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}' NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."usage_stripes" ADD COLUMN "datastore_queries_by_day" integer[] DEFAULT '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}' NOT NULL;--> statement-breakpoint
ALTER TABLE "quarry"."stored_document_totals" ADD CONSTRAINT "stored_document_totals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."usage_days" ADD CONSTRAINT "usage_days_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_days_by_day" ON "quarry"."usage_days" USING btree ("day");--> statement-breakpoint
-- Counts documents in the statements that already count their tokens. Gateways of the previous version count in the same way. The
-- row of the tokens is always locked first.
CREATE OR REPLACE FUNCTION "quarry"."count_tokens"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO "quarry"."token_totals" AS total (organization_id, tokens)
		SELECT organization_id, sum(tokens) FROM added GROUP BY organization_id
		ON CONFLICT (organization_id) DO UPDATE SET tokens = total.tokens + excluded.tokens;
		INSERT INTO "quarry"."stored_document_totals" AS total (organization_id, documents)
		SELECT organization_id, count(*) FILTER (WHERE tokens > 0) FROM added GROUP BY organization_id
		ON CONFLICT (organization_id) DO UPDATE SET documents = total.documents + excluded.documents WHERE excluded.documents <> 0;
	ELSIF TG_OP = 'UPDATE' THEN
		UPDATE "quarry"."token_totals" AS total SET tokens = total.tokens + change.tokens
		FROM (
			SELECT organization_id, sum(tokens) AS tokens, sum(stored) AS documents
			FROM (
				SELECT organization_id, tokens, (tokens > 0)::int AS stored FROM added
				UNION ALL SELECT organization_id, -tokens, -(tokens > 0)::int FROM gone
			) AS both_sides
			GROUP BY organization_id
		) AS change
		WHERE total.organization_id = change.organization_id AND (change.tokens <> 0 OR change.documents <> 0);
		UPDATE "quarry"."stored_document_totals" AS total SET documents = total.documents + change.documents
		FROM (
			SELECT organization_id, sum(stored) AS documents
			FROM (
				SELECT organization_id, (tokens > 0)::int AS stored FROM added
				UNION ALL SELECT organization_id, -(tokens > 0)::int FROM gone
			) AS both_sides
			GROUP BY organization_id
		) AS change
		WHERE total.organization_id = change.organization_id AND change.documents <> 0;
	ELSE
		UPDATE "quarry"."token_totals" AS total SET tokens = total.tokens - change.tokens
		FROM (SELECT organization_id, sum(tokens) AS tokens FROM gone GROUP BY organization_id) AS change
		WHERE total.organization_id = change.organization_id;
		UPDATE "quarry"."stored_document_totals" AS total SET documents = total.documents - change.documents
		FROM (SELECT organization_id, count(*) FILTER (WHERE tokens > 0) AS documents FROM gone GROUP BY organization_id) AS change
		WHERE total.organization_id = change.organization_id AND change.documents <> 0;
	END IF;
	RETURN NULL;
END;
$$;--> statement-breakpoint
-- What is stored already.
INSERT INTO "quarry"."stored_document_totals" (organization_id, documents)
SELECT organization_id, count(*) FILTER (WHERE tokens > 0) FROM "quarry"."token_reservations" GROUP BY organization_id;
