CREATE TABLE "quarry"."sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quarry"."sign_in_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"redeemed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "quarry"."sessions" ADD CONSTRAINT "sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."sessions" ADD CONSTRAINT "sessions_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "quarry"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."sign_in_codes" ADD CONSTRAINT "sign_in_codes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "quarry"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quarry"."sign_in_codes" ADD CONSTRAINT "sign_in_codes_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "quarry"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_of_organization" ON "quarry"."sessions" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "sessions_of_key" ON "quarry"."sessions" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "quarry"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_codes_of_organization" ON "quarry"."sign_in_codes" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "sign_in_codes_of_key" ON "quarry"."sign_in_codes" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "sign_in_codes_expiry" ON "quarry"."sign_in_codes" USING btree ("expires_at");