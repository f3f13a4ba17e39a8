CREATE TABLE "quarry"."idempotency_keys" (
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"route" text NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"answer" text,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_api_key_id_route_key_hash_pk" PRIMARY KEY("api_key_id","route","key_hash")
);
--> statement-breakpoint
ALTER TABLE "quarry"."idempotency_keys" ADD CONSTRAINT "idempotency_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."idempotency_keys" ADD CONSTRAINT "idempotency_keys_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "quarry"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "quarry"."idempotency_keys" USING btree ("expires_at");